import type { FolderService, LinkedDrive } from '../drive/drive.ts'
import type { Kernel } from '../kernel.ts'
import type { EmitEvent } from '../webhooks/webhooks.ts'
import { confluenceKind } from './confluence/confluence-kind.ts'
import { directoryKind } from './directory/directory-kind.ts'
import { gitKind } from './git/git-kind.ts'
import { googleDriveKind } from './google-drive/google-drive-kind.ts'
import { imapKind } from './imap/imap-kind.ts'
import { IntegrationService } from './integrations.service.ts'
import { integrationTasks } from './integrations.tasks.ts'
import { SourceApps } from './logins/source-apps.service.ts'
import { SourceLogins } from './logins/source-logins.service.ts'
import { notionKind } from './notion/notion-kind.ts'
import { s3Kind } from './s3/s3-kind.ts'
import { createSealedConfigs } from './sealed-config.ts'
import { sharePointKind } from './sharepoint/sharepoint-kind.ts'
import { slackKind } from './slack/slack-kind.ts'
import type { SourceKind } from './source.ts'
import { webKind } from './web/web-kind.ts'
import { webDavKind } from './webdav/webdav-kind.ts'

export { integrationRoutes as integrationsRoutes } from './integrations.routes.ts'
export { sourceAppRoutes } from './logins/source-apps.routes.ts'
export { sourceLoginRoutes } from './logins/source-logins.routes.ts'

interface IntegrationsNeeds {
  emitEvent: EmitEvent
  folders: FolderService
  linkedDrive: LinkedDrive
}

/** Folders that are kept in sync with a source. */
export function createIntegrations(kernel: Kernel, { emitEvent, folders, linkedDrive }: IntegrationsNeeds) {
  const { config } = kernel
  const kinds: SourceKind[] = [
    directoryKind({ roots: config.integrations.directoryRoots, dataDir: config.dataDir }),
    s3Kind(kernel.outbound),
    webDavKind(kernel.outbound),
    imapKind(kernel.outbound),
    webKind(kernel),
    gitKind({ outbound: kernel.outbound, dataDir: config.dataDir }),
    googleDriveKind(kernel.outbound),
    notionKind(kernel.outbound),
    sharePointKind(kernel.outbound),
    confluenceKind(kernel.outbound),
    slackKind(kernel.outbound),
  ]
  const sealedConfigs = createSealedConfigs(kernel.getSecret)
  const sourceApps = new SourceApps({ ...kernel, apps: config.integrations.apps })
  const sourceLogins = new SourceLogins({ ...kernel, apps: sourceApps })
  kernel.register(
    integrationTasks({ ...kernel, emitEvent, drive: linkedDrive, folders, kinds, sealedConfigs, sourceLogins }),
  )
  const integrations = new IntegrationService({ ...kernel, folders, kinds, sealedConfigs, sourceLogins })
  return { integrations, sourceApps, sourceLogins }
}
