import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newApiKey } from './access/api-key.ts'
import { addSample } from './sample/add-sample.ts'
import type { Services } from './services.ts'

/**
 * Makes an empty database usable: an organization, a workspace, its owner's key, and (unless switched off) a folder of
 * sample documents with an agent that knows them. Of several processes that start at the same time one does it.
 * @returns lines that tell how to begin.
 */
export async function prepareFirstStart(services: Services, url: string): Promise<string[]> {
  const { access, config, newId } = services
  const keyPath = join(config.dataDir, 'owner-key')
  const lines: string[] = []
  if (await access.isEmpty()) {
    const apiKey = config.access.ownerKey ?? newApiKey()
    // The file first: a stop in between would leave a key that nobody knows. Under a name of its own first: a process
    // that shares the folder may be about to do the same.
    const ownPath = `${keyPath}.${newId()}`
    mkdirSync(config.dataDir, { recursive: true })
    writeFileSync(ownPath, `${apiKey}\n`, { mode: 0o600 })
    const isFirst = await access.createFirstOrganization('My organization', apiKey)
    if (isFirst) {
      renameSync(ownPath, keyPath)
      // A key that the operator chose is known to them, and belongs in no log.
      if (!config.access.ownerKey) lines.push(`The owner's API key, shown this once: ${apiKey}`)
      if (config.sample) await addSample(services, await access.authenticate(apiKey))
    } else rmSync(ownPath)
  }
  if (!existsSync(keyPath)) return lines
  lines.push(`The owner's API key is in ${keyPath}`)
  const ask = await firstQuestion(services, url, keyPath)
  return ask ? [...lines, 'Ask something:', `  ${ask}`] : lines
}

/** One line for a shell that asks the newest agent. Reads the key from its file. */
async function firstQuestion(
  { access, agents, chats }: Services,
  url: string,
  keyPath: string,
): Promise<string | undefined> {
  const key = readFileSync(keyPath, 'utf8').trim()
  const caller = await Promise.resolve(access.authenticate(key)).catch(() => undefined)
  if (!caller) return undefined
  const [agent] = (await agents.list(caller, { page: 1, page_size: 1 })).agents
  if (!agent) return undefined
  const known = await chats.list(caller, agent.id, { search: CHAT_TITLE, page: 1, page_size: 1 })
  const chat =
    known.chats[0] ?? (await chats.create(caller, agent.id, { title: CHAT_TITLE, chat_type: 'standard', metadata: {} }))
  return [
    `curl -N ${url}/v1/agents/${agent.id}/chats/${chat.id}/query`,
    `-H "x-api-key: $(cat '${keyPath}')"`,
    `-H 'content-type: application/json'`,
    `-d '{"query": "Which document formats can Docent read?", "is_stream": true}'`,
  ].join(' ')
}

const CHAT_TITLE = 'First question'
