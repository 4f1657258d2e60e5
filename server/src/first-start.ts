import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UnauthorizedError } from './access/access.errors.ts'
import { newApiKey } from './access/api-key.ts'
import { CommitUnansweredError, isDatabaseAway } from './platform/database/errors.ts'
import { patiently, untilThere } from './platform/database/patience.ts'
import { addSample } from './sample/add-sample.ts'
import type { Services } from './services.ts'

/** So long it waits for a database that goes away in the middle of it. */
const AWAY_PATIENCE_MS = 60_000

/**
 * Makes an empty database usable: an organization, a workspace, its owner's key, and (unless switched off) a folder of
 * sample documents with an agent that knows them. Of several processes that start at the same time one does it. While
 * the database is away it waits; what cannot be made in the end is told in the log, and the server serves without it.
 * @returns lines that tell how to begin.
 */
export async function prepareFirstStart(services: Services, url: string): Promise<string[]> {
  const { config, logger } = services
  const keyPath = join(config.dataDir, 'owner-key')
  return patiently({ ms: AWAY_PATIENCE_MS }, async () => {
    try {
      const lines = await makeFirst(services, keyPath)
      if (!existsSync(keyPath)) return lines
      lines.push(`The owner's API key is in ${keyPath}`)
      const ask = await firstQuestion(services, url, keyPath)
      return ask ? [...lines, 'Ask something:', `  ${ask}`] : lines
    } catch (error) {
      if (!isDatabaseAway(error)) throw error
      logger.error({ err: error }, 'the first start could not be prepared: the database is away')
      return []
    }
  })
}

/** @returns lines that tell what it made; none where there was something already. */
async function makeFirst(services: Services, keyPath: string): Promise<string[]> {
  const { access, config, newId, logger } = services
  if (!(await access.isEmpty())) return []
  const apiKey = config.access.ownerKey ?? newApiKey()
  // The file first: a stop in between would leave a key that nobody knows. Under a name of its own first: a process
  // that shares the folder may be about to do the same.
  const ownPath = `${keyPath}.${newId()}`
  mkdirSync(config.dataDir, { recursive: true })
  writeFileSync(ownPath, `${apiKey}\n`, { mode: 0o600 })
  let isUnsure = false
  const create = () =>
    access.createFirstOrganization('My organization', apiKey).catch((error) => {
      isUnsure ||= error instanceof CommitUnansweredError
      throw error
    })
  // Where nobody answered whether it was stored, the key itself says so.
  const isFirst = (await untilThere(create)) || (isUnsure && (await isKnown(services, apiKey)))
  if (!isFirst) {
    rmSync(ownPath)
    return []
  }
  renameSync(ownPath, keyPath)
  if (config.sample)
    // The server serves without it.
    await addSampleFor(services, apiKey).catch((error) => logger.error({ err: error }, 'the sample is not whole'))
  // A key that the operator chose is known to them, and belongs in no log.
  return config.access.ownerKey ? [] : [`The owner's API key, shown this once: ${apiKey}`]
}

const addSampleFor = async (services: Services, apiKey: string): Promise<void> =>
  addSample(services, await services.access.authenticate(apiKey))

const isKnown = async ({ access }: Services, apiKey: string): Promise<boolean> => {
  try {
    return Boolean(await access.authenticate(apiKey))
  } catch (error) {
    if (error instanceof UnauthorizedError) return false
    throw error
  }
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
