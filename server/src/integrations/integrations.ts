import type { FolderService, LinkedDrive } from '../drive/drive.ts'
import type { Kernel } from '../kernel.ts'
import { directoryKind } from './directory/directory-kind.ts'
import { IntegrationService } from './integrations.service.ts'
import { integrationTasks } from './integrations.tasks.ts'

export { integrationRoutes as integrationsRoutes } from './integrations.routes.ts'

interface IntegrationsNeeds {
  folders: FolderService
  linkedDrive: LinkedDrive
}

/** Folders that are kept in step with a source. */
export function createIntegrations(kernel: Kernel, { folders, linkedDrive }: IntegrationsNeeds) {
  const { config } = kernel
  const kinds = [directoryKind({ roots: config.integrations.directoryRoots, dataDir: config.dataDir })]
  kernel.register(integrationTasks({ ...kernel, drive: linkedDrive, folders, kinds }))
  return { integrations: new IntegrationService({ ...kernel, folders, kinds }) }
}
