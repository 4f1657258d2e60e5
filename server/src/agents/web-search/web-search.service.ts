import { type Caller, requireWholeKey } from '../../access/access.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import type { CreateLimiter } from '../../platform/cluster/limits/rate-limit.ts'
import { takeAdvisoryLock } from '../../platform/database/statements/advisory-locks.ts'
import { commitChecked } from '../../platform/database/statements/commit-checked.ts'
import { invalidField } from '../../platform/errors.ts'
import type { SecretBox } from '../../platform/secret-box.ts'
import type { AgentRecord } from '../agent/agents.store.ts'
import { WebSearchNotFoundError } from '../agents.errors.ts'
import { hasSameAddress, keyToStore, requireAddress } from '../provider-settings/provider-settings.ts'
import { ToolError } from '../tools/tool.ts'
import { type FoundPage, SEARCH_PROVIDERS, type WebQuery } from './search-providers.ts'
import { type SearchSettings, searchWeb } from './search-web.ts'
import type { PutWebSearch, TestedWebSearch, TestWebSearch } from './web-search.schemas.ts'
import { deleteWebSearch, findWebSearch, putWebSearch, type WebSearchRecord } from './web-search.store.ts'

const TESTS = { perSecond: 0.2, burst: 20 }
const SHOWN_RESULTS = 3

export interface WebSearchOptions extends Pick<KernelParts, 'clock' | 'db' | 'outbound' | 'writes'> {
  createLimiter: CreateLimiter
  secrets: SecretBox
}

/** Web search of the agents of a workspace, with the provider that its admins set up. */
export class WebSearchService {
  readonly #options: WebSearchOptions
  readonly #limiter: ReturnType<CreateLimiter>

  constructor(options: WebSearchOptions) {
    this.#options = options
    this.#limiter = options.createLimiter('test of web search', TESTS)
  }

  async find({ organizationId, workspaceId }: Pick<Caller, 'organizationId' | 'workspaceId'>) {
    return findWebSearch(this.#options.db, organizationId, workspaceId)
  }

  /** @throws ValidationError, ForbiddenError */
  async put(caller: Caller, fields: PutWebSearch): Promise<WebSearchRecord> {
    requireWholeKey(caller, 'manage web search')
    requireAddress(this.#options.outbound, fields, SEARCH_PROVIDERS[fields.kind].ownUrl)
    const { organizationId, workspaceId } = caller
    return commitChecked(this.#options.writes, async (tx) => {
      await takeAdvisoryLock(tx, 'web search', workspaceId)
      const before = await findWebSearch(tx, organizationId, workspaceId)
      const at = isoNow(this.#options.clock)
      const { kind, base_url: baseUrl } = fields
      const key = keyToStore(fields, before, (given) => this.#options.secrets.seal(given, contextOf(caller)))
      if (SEARCH_PROVIDERS[kind].needsKey && key.apiKey === null && baseUrl === null)
        throw invalidField('api_key', 'must be given')
      const record = {
        organizationId,
        workspaceId,
        kind,
        baseUrl,
        ...key,
        createdAt: before?.createdAt ?? at,
        updatedAt: at,
      }
      await putWebSearch(tx, organizationId, record)
      await this.#recordChange(tx, caller, { kind, base_url: baseUrl })
      return record
    })
  }

  /** @throws WebSearchNotFoundError, ForbiddenError */
  async remove(caller: Caller): Promise<void> {
    requireWholeKey(caller, 'manage web search')
    await commitChecked(this.#options.writes, async (tx) => {
      if (!(await deleteWebSearch(tx, caller.organizationId, caller.workspaceId))) throw new WebSearchNotFoundError()
      await this.#recordChange(tx, caller, { kind: null })
    })
  }

  /** Searches with stored settings or with others. @throws RateLimitedError, WebSearchNotFoundError, ValidationError */
  async test(caller: Caller, { query, kind, ...fields }: TestWebSearch): Promise<TestedWebSearch> {
    requireWholeKey(caller, 'manage web search')
    await this.#limiter.take(caller.workspaceId)
    const stored = await this.find(caller)
    if (!kind && !stored) throw new WebSearchNotFoundError()
    const began = performance.now()
    const toTested = (results: FoundPage[], error: string | null): TestedWebSearch => ({
      is_ok: error === null,
      latency_ms: Math.round(performance.now() - began),
      results,
      error_message: error,
    })
    try {
      const settings = kind ? this.#draftOf({ kind, ...fields }, stored) : this.#opened(stored!)
      const signal = AbortSignal.timeout(40_000)
      const by = { outbound: this.#options.outbound, signal }
      return toTested(await searchWeb(settings, { query, count: SHOWN_RESULTS }, by), null)
    } catch (error) {
      if (!(error instanceof ToolError)) throw error
      return toTested([], error.message)
    }
  }

  /** Searches for an agent, with the provider of its workspace. @throws ToolError */
  async search(agent: AgentRecord, query: WebQuery, signal: AbortSignal): Promise<FoundPage[]> {
    const stored = await this.find(agent)
    if (!stored)
      throw new ToolError('Web search is not set up in this workspace: an admin has to choose a provider for it first.')
    return searchWeb(this.#opened(stored), query, { outbound: this.#options.outbound, signal })
  }

  /** @throws ToolError where the key that it was sealed with is gone */
  #opened(stored: WebSearchRecord): SearchSettings {
    const { kind, baseUrl, apiKey } = stored
    try {
      const key = apiKey === null ? null : this.#options.secrets.open(apiKey, contextOf(stored))
      return { kind, baseUrl: baseUrl ?? SEARCH_PROVIDERS[kind].ownUrl!, key }
    } catch (error) {
      const why = 'The key of the web search cannot be read any more: an admin has to give it again.'
      throw new ToolError(why, { cause: error })
    }
  }

  #draftOf(fields: PutWebSearch, stored: WebSearchRecord | undefined): SearchSettings {
    requireAddress(this.#options.outbound, fields, SEARCH_PROVIDERS[fields.kind].ownUrl)
    const { kind, base_url: baseUrl, api_key: key } = fields
    const kept = key === undefined && stored && hasSameAddress(fields, stored) ? this.#opened(stored).key : null
    return { kind, baseUrl: baseUrl ?? SEARCH_PROVIDERS[kind].ownUrl!, key: key ?? kept }
  }

  #recordChange(tx: Parameters<typeof recordAudit>[0], caller: Caller, details: Record<string, string | null>) {
    const target = { type: 'workspace', id: caller.workspaceId } as const
    return recordAudit(tx, caller, {
      action: 'workspace.web_search_changed',
      at: isoNow(this.#options.clock),
      target,
      details,
    })
  }
}

const contextOf = ({ organizationId, workspaceId }: Pick<Caller, 'organizationId' | 'workspaceId'>) =>
  `${organizationId} ${workspaceId}`
