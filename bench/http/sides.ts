import { join } from 'node:path'
import { createApi } from './client/api.ts'
import type { Setting, Side, SideName } from './scenario.ts'
import { type DocentOptions, type Server, startDocent, startFloor } from './servers.ts'

/** Number of chats: more than any load has clients. */
const CHATS = 64

/** Starts one side on a data folder of this name, in which it finds again what it left there. */
export async function startServer(
  name: SideName,
  folder: string,
  { children, modelUrl, workDir }: Setting,
  options: Partial<DocentOptions> = {},
): Promise<Server> {
  const dataDir = join(workDir, folder)
  return name === 'docent'
    ? startDocent(children, { dataDir, modelUrl, ...options })
    : startFloor(children, dataDir, modelUrl)
}

/** Starts one side with an agent and chats to ask. */
export async function startSide(
  name: SideName,
  folder: string,
  setting: Setting,
  options: Partial<DocentOptions> = {},
): Promise<Side> {
  const server = await startServer(name, folder, setting, options)
  const api = createApi(server.url)
  const agentId = await api.createAgent()
  return { name, server, api, agentId, chats: await api.createChats(agentId, CHATS) }
}

export async function endSide({ api, server }: Side, { children }: Setting): Promise<void> {
  api.close()
  await children.end(server.child)
}
