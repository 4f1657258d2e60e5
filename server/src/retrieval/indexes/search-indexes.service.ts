import { type Caller, requireWholeKey } from '../../access/access.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import type { Tx } from '../../db.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import type { CreateLimiter } from '../../platform/cluster/limits/rate-limit.ts'
import { takeAdvisoryLock } from '../../platform/database/statements/advisory-locks.ts'
import { commitChecked } from '../../platform/database/statements/commit-checked.ts'
import { DomainError, invalidField } from '../../platform/errors.ts'
import { ModelNotAvailableError } from '../../platform/models/failures/model.errors.ts'
import type { EmbeddingModel } from '../../platform/models/model.ts'
import { namedSpace, spaceOf } from '../space.ts'
import { removeAllChanges } from './index-changes.store.ts'
import type { IndexEmbeddings } from './index-embeddings.ts'
import type { ChooseIndex, SearchIndexReply } from './search-indexes.schemas.ts'
import { findSearchIndex, NO_BUILD, putSearchIndex, type SearchIndexRecord } from './search-indexes.store.ts'
import type { IndexSource } from './search-indexes.tables.ts'
import type { SearchIndexes } from './search-indexes.ts'

export interface SearchIndexServiceOptions extends Pick<KernelParts, 'clock' | 'db' | 'newId' | 'queue' | 'writes'> {
  createLimiter: CreateLimiter
  indexes: SearchIndexes
  embeddings: IndexEmbeddings
  /** The environment's. */
  embedding: EmbeddingModel | undefined
}

const TESTS = { perSecond: 0.2, burst: 20 }
const TEST_MS = 20_000
const TEST_TEXT = 'The valve opens at 40 degrees.'
/** Processes that index files know by then that a new index is being built. */
const BEGIN_MS = 1_000

interface Choice {
  source: IndexSource
  model: string | null
  /** Workspace whose providers the model is one of. */
  workspaceId: string | null
}

type Kept = Omit<SearchIndexRecord, 'organizationId'>

/** Choice of the embedding model behind the search of an organization, and what it looks like from outside. */
export class SearchIndexService {
  readonly #options: SearchIndexServiceOptions
  readonly #limiter: ReturnType<CreateLimiter>

  constructor(options: SearchIndexServiceOptions) {
    this.#options = options
    this.#limiter = options.createLimiter('test of an embedding model', TESTS)
  }

  async get({ organizationId }: Pick<Caller, 'organizationId'>): Promise<SearchIndexReply> {
    const { db, embedding, embeddings } = this.#options
    const record = await findSearchIndex(db, organizationId)
    const { source, model } = this.#servingChoice(record)
    return {
      serving: { source, model },
      environment: { model: embedding?.id ?? null },
      local_models: embeddings.listLocal(),
      building: record ? toBuilding(record) : null,
    }
  }

  /**
   * Begins to build the index of a choice, or continues with it where it failed. The one that serves stays until the
   * new one is whole.
   * @throws ValidationError for a model that cannot be used, ForbiddenError
   */
  async choose(caller: Caller, { source, model }: ChooseIndex): Promise<SearchIndexReply> {
    const { writes, clock } = this.#options
    requireWholeKey(caller, 'choose embedding models')
    const { organizationId, workspaceId } = caller
    const choice = await this.#toChoice(caller, { source, model })
    await commitChecked(writes, async (tx) => {
      await takeAdvisoryLock(tx, 'search index', organizationId)
      if (!(await this.#begin(tx, organizationId, choice))) return
      const target = { type: 'workspace', id: workspaceId } as const
      const action = 'workspace.search_index_changed'
      await recordAudit(tx, caller, { action, at: isoNow(clock), target, details: { source, model: choice.model } })
    })
    return this.get(caller)
  }

  /** Ends the building of an index; without one nothing happens. @throws ForbiddenError */
  async cancel(caller: Caller): Promise<SearchIndexReply> {
    const { writes, clock } = this.#options
    requireWholeKey(caller, 'choose embedding models')
    const { organizationId, workspaceId } = caller
    await commitChecked(writes, async (tx) => {
      await takeAdvisoryLock(tx, 'search index', organizationId)
      const record = await findSearchIndex(tx, organizationId)
      if (!record?.buildId) return
      await this.#end(tx, record)
      const at = isoNow(clock)
      await putSearchIndex(tx, organizationId, { ...servingOf(record), ...NO_BUILD, updatedAt: at })
      const target = { type: 'workspace', id: workspaceId } as const
      await recordAudit(tx, caller, { action: 'workspace.search_index_cancelled', at, target, details: {} })
    })
    return this.get(caller)
  }

  /** Asks a model for one vector. @throws RateLimitedError */
  async test(caller: Caller, model: string) {
    requireWholeKey(caller, 'choose embedding models')
    await this.#limiter.take(caller.workspaceId)
    const began = performance.now()
    const latency = () => Math.round(performance.now() - began)
    const signal = AbortSignal.timeout(TEST_MS)
    try {
      const chosen = await this.#options.embeddings.resolve({ ...caller, model })
      const [vector] = await chosen.embed([TEST_TEXT], { purpose: 'document', signal })
      return { is_ok: true, dimensions: vector?.length ?? null, latency_ms: latency(), error_message: null }
    } catch (error) {
      if (!signal.aborted && !(error instanceof DomainError)) throw error
      const message = error instanceof DomainError ? error.message : `It did not answer within ${TEST_MS / 1000} s`
      return { is_ok: false, dimensions: null, latency_ms: latency(), error_message: message }
    }
  }

  /** @throws ValidationError */
  async #toChoice(caller: Caller, { source, model }: ChooseIndex): Promise<Choice> {
    const { embedding, embeddings } = this.#options
    if (source !== 'workspace') {
      if (model !== null) throw invalidField('model', 'must only be given with the source workspace')
      return { source, model: source === 'environment' ? (embedding?.id ?? null) : null, workspaceId: null }
    }
    if (model === null) throw invalidField('model', 'must be given')
    try {
      await embeddings.resolve({ ...caller, model })
    } catch (error) {
      if (error instanceof ModelNotAvailableError) throw invalidField('model', error.message)
      throw error
    }
    return { source, model, workspaceId: caller.workspaceId }
  }

  /** @returns false where nothing is to be done: it serves, or is being built */
  async #begin(tx: Tx, organizationId: string, choice: Choice): Promise<boolean> {
    const { queue, newId, clock } = this.#options
    const record = await findSearchIndex(tx, organizationId)
    const isAsked = record?.buildId != null && isSame(buildingChoice(record), choice)
    if (isAsked && record.buildState === 'building') return false
    const at = isoNow(clock)
    if (isAsked && record.buildId) {
      const step = record.buildStep + 1
      const again = { ...record, buildState: 'building', buildError: null, buildStep: step, updatedAt: at } as const
      await putSearchIndex(tx, organizationId, withoutOrganization(again))
      await queue.enqueue(tx, organizationId, 'retrieval.build-index', { buildId: record.buildId, step })
      return true
    }
    if (record?.buildId) await this.#end(tx, record)
    const kept = servingOf(record)
    if (isSame(this.#servingChoice(record), choice)) {
      if (!record?.buildId) return false
      await putSearchIndex(tx, organizationId, { ...kept, ...NO_BUILD, updatedAt: at })
      return true
    }
    const buildId = newId()
    await putSearchIndex(tx, organizationId, {
      ...kept,
      ...NO_BUILD,
      buildId,
      buildSource: choice.source,
      buildSpace: this.#spaceOf(organizationId, choice, buildId),
      buildWorkspaceId: choice.workspaceId,
      buildModel: choice.model,
      buildState: 'building',
      buildPhase: 'files',
      buildStartedAt: at,
      updatedAt: at,
    })
    const first = { buildId, step: 0 }
    await queue.enqueue(tx, organizationId, 'retrieval.build-index', first, { delayMs: BEGIN_MS })
    return true
  }

  #spaceOf(organizationId: string, { source }: Choice, buildId: string): string {
    if (source === 'environment') return spaceOf(organizationId, this.#options.embedding)
    return namedSpace(organizationId, buildId)
  }

  async #end(tx: Tx, { organizationId, buildSpace }: SearchIndexRecord): Promise<void> {
    await removeAllChanges(tx, organizationId)
    if (buildSpace) await this.#options.queue.enqueue(tx, organizationId, 'retrieval.drop-index', { space: buildSpace })
  }

  #servingChoice(record: SearchIndexRecord | undefined): Choice {
    const { embedding } = this.#options
    if (record?.space == null) return { source: 'environment', model: embedding?.id ?? null, workspaceId: null }
    const { model, workspaceId } = record
    return { source: model === null ? 'none' : 'workspace', model, workspaceId }
  }
}

const buildingChoice = ({ buildSource, buildModel, buildWorkspaceId }: SearchIndexRecord): Choice => ({
  source: buildSource ?? 'none',
  model: buildModel,
  workspaceId: buildWorkspaceId,
})

const isSame = (a: Choice, b: Choice): boolean =>
  a.source === b.source && a.model === b.model && a.workspaceId === b.workspaceId

const servingOf = (record: SearchIndexRecord | undefined): Pick<Kept, 'space' | 'model' | 'workspaceId'> => ({
  space: record?.space ?? null,
  model: record?.model ?? null,
  workspaceId: record?.workspaceId ?? null,
})

function withoutOrganization({ organizationId: _, ...kept }: SearchIndexRecord): Kept {
  return kept
}

const toBuilding = (record: SearchIndexRecord): SearchIndexReply['building'] =>
  record.buildId === null || record.buildState === null || record.buildStartedAt === null
    ? null
    : {
        source: record.buildSource ?? 'none',
        model: record.buildModel,
        state: record.buildState,
        files_done: record.buildFilesDone,
        files_total: record.buildFilesTotal === null ? null : Math.max(record.buildFilesTotal, record.buildFilesDone),
        files_skipped: record.buildFilesSkipped,
        passages_done: record.buildPassagesDone,
        error_message: record.buildError,
        started_at: record.buildStartedAt,
        updated_at: record.updatedAt,
      }
