import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newApiKey, UnauthorizedError } from './access/access.ts'
import { CommitUnansweredError, isDatabaseAway } from './platform/database/away-errors.ts'
import { patiently, untilThere } from './platform/database/patience.ts'
import { adminCommand } from './platform/host/commands.ts'
import { addSample } from './sample/add-sample.ts'
import type { Services } from './services.ts'

/** Time to wait for a database that goes away during the first start. */
const AWAY_PATIENCE_MS = 60_000

/**
 * Makes an empty database usable: an organization, a workspace, its owner's key, and (unless switched off) a folder of
 * sample documents with an agent that knows them. Of several processes that start at the same time one does it. While
 * the database is away it waits; what cannot be made in the end is logged, and the server serves without it.
 * @returns lines that tell how to begin.
 */
export async function prepareFirstStart(services: Services, url: string): Promise<string[]> {
  const { config, logger } = services
  const keyPath = join(config.dataDir, 'owner-key')
  return patiently({ ms: AWAY_PATIENCE_MS }, async () => {
    try {
      const apiKey = await makeFirst(services, keyPath)
      // A key that the operator chose is known to them, and belongs in no log.
      const lines = apiKey && !config.access.ownerKey ? [`The owner's API key, shown this once: ${apiKey}`] : []
      if (existsSync(keyPath)) lines.push(`The owner's API key is in ${keyPath}`)
      if (apiKey) lines.push(...(await ownerLink(services, apiKey)))
      if (apiKey && config.sample) lines.push(...(await makeSample(services, { apiKey, url, keyPath })))
      return lines
    } catch (error) {
      if (!isDatabaseAway(error)) throw error
      logger.error({ err: error }, 'the first start could not be prepared: the database is away')
      return []
    }
  })
}

/** Makes the first organization. @returns its owner's key; undefined if there was an organization already. */
async function makeFirst(services: Services, keyPath: string): Promise<string | undefined> {
  const { access, config, newId } = services
  if (!(await access.isEmpty())) return undefined
  const apiKey = config.access.ownerKey ?? newApiKey()
  // The file first: a stop in between would leave a key that nobody knows. Under a name of its own first: a process
  // that shares the folder may be about to do the same.
  const ownPath = `${keyPath}.${newId()}`
  writeFileSync(ownPath, `${apiKey}\n`, { mode: 0o600 })
  let isUnsure = false
  const create = () =>
    access.createFirstOrganization('My organization', apiKey).catch((error) => {
      isUnsure ||= error instanceof CommitUnansweredError
      throw error
    })
  // If nobody answered whether it was stored, the key itself says so.
  const isFirst = (await untilThere(create)) || (isUnsure && (await isKnown(services, apiKey)))
  if (!isFirst) {
    rmSync(ownPath)
    return undefined
  }
  renameSync(ownPath, keyPath)
  return apiKey
}

const isKnown = async ({ access }: Services, apiKey: string): Promise<boolean> => {
  try {
    return Boolean(await access.authenticate(apiKey))
  } catch (error) {
    if (error instanceof UnauthorizedError) return false
    throw error
  }
}

/** @returns a line with the link by which the owner gets an account; none if it could not be made, which the log tells. */
async function ownerLink({ access, accounts, logger }: Services, apiKey: string): Promise<string[]> {
  try {
    const { organizationId, workspaceId } = await access.authenticate(apiKey)
    const { url } = await accounts.invitations.createOwnerLink(organizationId, workspaceId)
    return [
      `Open this to make the owner's account (works once, for an hour; another: ${adminCommand('sign-in-link')}): ${url}`,
    ]
  } catch (error) {
    logger.error({ err: error }, `the link for the owner could not be made: ${adminCommand('sign-in-link')} makes one`)
    return []
  }
}

/** @returns lines with a command for a shell that asks the sample's agent; none if the sample could not be made,
 *  which the log tells: the server serves without it. */
async function makeSample(
  services: Services,
  { apiKey, url, keyPath }: { apiKey: string; url: string; keyPath: string },
): Promise<string[]> {
  const { access, chats, logger } = services
  try {
    const caller = await access.authenticate(apiKey)
    const agentId = await addSample(services, caller)
    const chat = await chats.create(caller, agentId, { title: 'First question', chat_type: 'standard', metadata: {} })
    const ask = [
      `curl -N ${url}/v1/agents/${agentId}/chats/${chat.id}/query`,
      `-H "x-api-key: $(cat '${keyPath}')"`,
      `-H 'content-type: application/json'`,
      `-d '{"query": "Which document formats can Docent read?", "is_stream": true}'`,
    ]
    return ['Ask something:', `  ${ask.join(' ')}`]
  } catch (error) {
    logger.error({ err: error }, 'the sample is not whole')
    return []
  }
}
