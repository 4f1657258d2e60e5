import { createAccess } from './access/access.ts'
import { createAccounts } from './accounts/accounts.ts'
import { createDoctorService } from './admin/doctor/doctor.service.ts'
import { createAgents, createOwnModels, findAgentNames } from './agents/agents.ts'
import { createApps } from './apps/apps.ts'
import { createAudit } from './audit/audit.ts'
import { createBackground } from './background.ts'
import { createChats, emptyProject, messageBlobUses } from './chats/chats.ts'
import { createDrive, requireReadableFolders } from './drive/drive.ts'
import { createEvaluation } from './evaluation/evaluation.ts'
import { createIntegrations } from './integrations/integrations.ts'
import { type KernelOptions, openKernel } from './kernel.ts'
import { createLinks } from './links/links.ts'
import { createProjects } from './projects/projects.ts'
import { createRetrieval } from './retrieval/retrieval.ts'
import { createUsage } from './usage/usage.ts'
import { createTokensOfUsers, createUsers } from './users/users.ts'
import { createWebhooks, sendWebhooks } from './webhooks/webhooks.ts'

export type Services = Awaited<ReturnType<typeof createServices>>

/** Everything that the server is made of, built once: the kernel, and on it the features, each by its front. */
export async function createServices(options: KernelOptions) {
  const kernel = await openKernel(options)
  const access = createAccess(kernel)
  const users = createUsers(kernel)
  const usage = createUsage(kernel, { ...access, ...users, findAgentNames })
  const drive = createDrive(kernel, { ...access, ...users, otherBlobUses: [messageBlobUses] })
  const webhooks = createWebhooks(kernel)
  const integrations = createIntegrations(kernel, { ...drive, ...webhooks })
  const ownModels = createOwnModels(kernel)
  const retrieval = createRetrieval(kernel, {
    ...webhooks,
    ...drive,
    ...usage,
    ownModels: ownModels.of,
    findSpeechWorkspace: ownModels.findSpeechWorkspace,
    workspaceOfKey: (organizationId, keyId) => access.keys.workspaceOf(organizationId, keyId),
  })
  const agents = await createAgents(kernel, { ...users, ...usage, ...retrieval, ownModels })
  const projects = createProjects(kernel, { ...drive, ...agents, emptyProject })
  const links = await createLinks(kernel, { ...access, ...agents })
  const tokensOfUsers = await createTokensOfUsers(kernel, {
    ...users,
    findKey: access.access.byId,
    requireAgent: (caller, agentId) => agents.agents.get(caller, agentId),
    requireFolders: (caller, folderIds) => requireReadableFolders(kernel.db, caller, folderIds),
  })
  const accounts = createAccounts({ ...kernel, ...access, ...agents })
  const apps = createApps(kernel, { ...access, ...agents, ...accounts })
  const chats = await createChats(kernel, {
    ...access,
    ...users,
    ...usage,
    ...retrieval,
    ...agents,
    ...webhooks,
    ...projects,
  })
  const sending = sendWebhooks(kernel, { ...webhooks, ...chats })
  const evaluation = createEvaluation(kernel, { ...access, ...usage, ...retrieval, ...agents, ...chats, ...webhooks })
  createAudit(kernel)
  const doctor = createDoctorService(kernel)
  const background = await createBackground(kernel)

  return {
    ...kernel,
    ...access,
    ...users,
    ...tokensOfUsers,
    ...usage,
    ...drive,
    ...integrations,
    ...retrieval,
    ...agents,
    ...projects,
    ...links,
    ...webhooks,
    ...sending,
    ...chats,
    ...evaluation,
    ...apps,
    accounts,
    members: accounts.members,
    doctor,
    /** Takes up what an earlier process left running, and begins the work in the background. */
    async start() {
      await kernel.start()
      await background.start()
    },
    /** Stops it after the last request; interrupted asynchronous runs continue at the next start. */
    async close() {
      await background.close()
      await kernel.close()
    },
  }
}
