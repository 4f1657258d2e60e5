import type { Tx } from '../../db.ts'
import { type DataSource, findIndexed, listIndexed, pagesOfIndexed } from '../../drive/drive.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { takeAdvisoryLock } from '../../platform/database/statements/advisory-locks.ts'
import { DomainError } from '../../platform/errors.ts'
import { ModelError, ModelNotAvailableError } from '../../platform/models/failures/model.errors.ts'
import type { EmbeddingModel } from '../../platform/models/model.ts'
import type { GivenUpReason } from '../../queue/troubles/given-up.ts'
import type { TaskContext } from '../../queue/worker.ts'
import type { SearchEngine } from '../../search/engine.ts'
import { spaceOf } from '../space.ts'
import { type Copied, type CopyTarget, copyFiles } from './copy-files.ts'
import { addChanges, type IndexChange, listChanges, removeChanges } from './index-changes.store.ts'
import type { IndexEmbeddings } from './index-embeddings.ts'
import {
  type BuildStep,
  findSearchIndex,
  NO_BUILD,
  putSearchIndex,
  type SearchIndexRecord,
  updateBuild,
} from './search-indexes.store.ts'
import type { SearchIndexes } from './search-indexes.ts'

export interface IndexBuildOptions extends Pick<KernelParts, 'blobs' | 'clock' | 'db' | 'logger' | 'queue' | 'writes'> {
  engine: SearchEngine
  indexes: SearchIndexes
  embeddings: Pick<IndexEmbeddings, 'of'>
  /** The environment's. */
  embedding: EmbeddingModel | undefined
}

/** Files and passages of one step: what a kill repeats. */
const FILES_PER_STEP = 100
const PASSAGES_PER_STEP = 1_000
/** Transactions that were under way when the index changed have ended by then. */
const CATCH_UP_MS = 2_000
/** Searches that began on the old index have ended by then, and every process knows the new one. */
const DROP_MS = 15_000
/** Failures of a provider that no repetition mends. */
const LASTING = new Set(['key', 'unknown-model', 'quota', 'refused'])

/** A build with the fields that it has while it is under way. */
type Build = SearchIndexRecord & BuildStep & { buildSpace: string }
type Changes = Parameters<typeof updateBuild>[3]
type Target = Pick<CopyTarget, 'space' | 'embedding'>

/**
 * Builds the index that is to take the place of another, in steps; each stores how far it came, and leaves the next.
 */
export class IndexBuild {
  readonly #options: IndexBuildOptions

  constructor(options: IndexBuildOptions) {
    this.#options = options
  }

  /** Does one step. What fails is told, and tried again where that may help; the index that serves stays. */
  async run(given: BuildStep, context: TaskContext): Promise<void> {
    const { organizationId, signal, isLastAttempt } = context
    const build = await this.#find(organizationId, given)
    if (!build) return
    try {
      await this.#work(build, context)
    } catch (error) {
      if (signal.aborted) throw error
      const reason = reasonOf(error)
      if (isLastAttempt || isLasting(error)) return this.#stop(organizationId, build, reason)
      const retryAfterMs = error instanceof ModelError ? error.retryAfterMs : undefined
      if (retryAfterMs !== undefined)
        return this.#advance(build, context, { buildError: reason }, { delayMs: retryAfterMs })
      await this.#options.writes.commit((tx) => updateBuild(tx, organizationId, build, { buildError: reason }))
      throw error
    }
  }

  async giveUp(given: BuildStep, { organizationId }: Pick<TaskContext, 'organizationId'>, cause: GivenUpReason) {
    if (cause === 'crashed')
      await this.#stop(organizationId, given, 'The server ended every time it was at work on this index')
  }

  /** Brings the index that serves to what files that changed meanwhile are now. */
  async catchUp(context: TaskContext): Promise<void> {
    const { db, writes, indexes } = this.#options
    const { organizationId } = context
    const { space, embedding } = await indexes.servingNow(organizationId)
    for (let after = ''; ; ) {
      const changes = await listChanges(db, organizationId, { after, limit: FILES_PER_STEP })
      if (changes.length === 0) return
      await this.#writeChanges(changes, { space, embedding }, context)
      await writes.commit(async (tx) => {
        // An index that is being built needs them, too.
        if (!(await findSearchIndex(tx, organizationId))?.buildId) await removeChanges(tx, organizationId, changes)
      })
      after = changes.at(-1)!.dataSourceId
    }
  }

  /** Removes an index, unless it serves or is being built. */
  async drop(organizationId: string, space: string): Promise<void> {
    const { db, engine, indexes } = this.#options
    const record = await findSearchIndex(db, organizationId)
    if (indexes.toServing(organizationId, record).space === space || record?.buildSpace === space) return
    await engine.drop(space)
  }

  async #find(organizationId: string, { buildId, step }: BuildStep): Promise<Build | undefined> {
    const found = await findSearchIndex(this.#options.db, organizationId)
    const isIt = found?.buildId === buildId && found.buildStep === step && found.buildState === 'building'
    return isIt ? ({ ...found, buildId, step } as Build) : undefined
  }

  async #work(build: Build, context: TaskContext): Promise<void> {
    const { db, embedding } = this.#options
    if (build.buildSource === 'environment' && build.buildSpace !== spaceOf(context.organizationId, embedding))
      throw new ModelNotAvailableError('The environment names another embedding model by now: choose again')
    if (build.buildFilesTotal === null) return this.#begin(build, context)
    if (build.buildPhase === 'files') return this.#copyNext(build, context)
    const changes = await listChanges(db, context.organizationId, { limit: FILES_PER_STEP })
    if (changes.length > 0) return this.#copyChanges(build, changes, context)
    return build.buildPhase === 'changes' ? this.#check(build, context) : this.#change(build, context)
  }

  async #begin(build: Build, context: TaskContext): Promise<void> {
    const { db, engine } = this.#options
    // The environment's index keeps its name: an earlier one may have left something there.
    if (build.buildSource === 'environment') await engine.drop(build.buildSpace)
    let total = 0
    for await (const page of pagesOfIndexed(db, context.organizationId)) {
      context.signal.throwIfAborted()
      total += page.length
    }
    await this.#advance(build, context, { buildFilesTotal: total, buildError: null })
  }

  async #copyNext(build: Build, context: TaskContext): Promise<void> {
    const after = build.buildCursor ?? ''
    const page = await listIndexed(this.#options.db, context.organizationId, { after, limit: FILES_PER_STEP })
    const files = firstFiles(page)
    if (files.length === 0) return this.#advance(build, context, { buildPhase: 'changes' })
    const copied = await copyFiles(this.#options, files, { ...this.#targetOf(build), signal: context.signal })
    const buildCursor = files.at(-1)!.id
    await this.#advance(build, context, { ...progress(build, copied, files.length), buildCursor })
  }

  async #copyChanges(build: Build, changes: IndexChange[], context: TaskContext): Promise<void> {
    const copied = await this.#writeChanges(changes, this.#targetOf(build), context)
    const also = (tx: Tx) => removeChanges(tx, context.organizationId, changes)
    await this.#advance(build, context, progress(build, copied, 0), { also })
  }

  /** Looks for files that the new index lacks, before it serves. */
  async #check(build: Build, context: TaskContext): Promise<void> {
    const { db, writes, engine } = this.#options
    const { organizationId, signal } = context
    await engine.maintain(build.buildSpace)
    const held = new Set(await engine.documentIds(build.buildSpace))
    for await (const page of pagesOfIndexed(db, organizationId)) {
      signal.throwIfAborted()
      const missing = page.filter((id) => !held.has(id))
      if (missing.length > 0) await writes.commit((tx) => addChanges(tx, organizationId, missing))
    }
    await this.#advance(build, context, { buildPhase: 'checked' })
  }

  /** Changes over: from the commit on searches go to the new index. */
  async #change(build: Build, context: TaskContext): Promise<void> {
    const { writes, queue, indexes, clock, logger } = this.#options
    const { organizationId } = context
    const isDone = await writes.commit(async (tx) => {
      await takeAdvisoryLock(tx, 'search index', organizationId)
      const now = await findSearchIndex(tx, organizationId)
      if (now?.buildId !== build.buildId || now.buildStep !== build.step || now.buildState !== 'building') return true
      if ((await listChanges(tx, organizationId, { limit: 1 })).length > 0) return false
      const { space: old } = indexes.toServing(organizationId, now)
      await putSearchIndex(tx, organizationId, { ...toServingRow(build), updatedAt: isoNow(clock) })
      await queue.enqueue(tx, organizationId, 'retrieval.catch-up', {}, { delayMs: CATCH_UP_MS })
      await queue.enqueue(tx, organizationId, 'retrieval.drop-index', { space: old }, { delayMs: DROP_MS })
      // Reads those again whose stored parse is lost.
      if (build.buildFilesSkipped > 0)
        await queue.enqueue(tx, organizationId, 'retrieval.mend', {}, { delayMs: DROP_MS })
      await context.finishIn(tx)
      return true
    })
    if (!isDone) return this.#advance(build, context, {})
    await indexes.announceChange(organizationId)
    logger.info({ organization_id: organizationId, model: build.buildModel }, 'another search index serves')
  }

  /** Brings a space to what these files are now: written again, or gone. */
  async #writeChanges(
    changes: IndexChange[],
    target: Target,
    { organizationId, signal }: TaskContext,
  ): Promise<Copied> {
    const { db, engine } = this.#options
    const ids = changes.map(({ dataSourceId }) => dataSourceId)
    const files = await findIndexed(db, organizationId, ids)
    const found = new Set(files.map(({ id }) => id))
    const gone = ids.filter((id) => !found.has(id))
    await engine.remove(target.space, gone)
    const copied = await copyFiles(this.#options, files, { ...target, signal })
    for (const { id, chunkCount } of files) await engine.trim(target.space, id, chunkCount)
    return copied
  }

  #targetOf({ organizationId, buildSpace, buildSource, buildWorkspaceId, buildModel }: Build): Target {
    const { embedding, embeddings } = this.#options
    if (buildSource === 'environment') return { space: buildSpace, embedding }
    if (buildModel === null || buildWorkspaceId === null) return { space: buildSpace, embedding: undefined }
    const chosen = embeddings.of({ organizationId, workspaceId: buildWorkspaceId, model: buildModel })
    return { space: buildSpace, embedding: chosen }
  }

  /** Stores the work of a step, and leaves the next one, in one transaction. */
  async #advance(
    build: Build,
    context: TaskContext,
    changes: Changes,
    { delayMs = 0, also }: { delayMs?: number; also?: (tx: Tx) => Promise<void> } = {},
  ): Promise<void> {
    const { writes, queue, clock } = this.#options
    const { organizationId } = context
    const { buildId, step } = build
    await writes.commit(async (tx) => {
      const next = { ...changes, buildStep: step + 1, updatedAt: isoNow(clock) }
      if (!(await updateBuild(tx, organizationId, build, next))) return
      await also?.(tx)
      await queue.enqueue(tx, organizationId, 'retrieval.build-index', { buildId, step: step + 1 }, { delayMs })
      await context.finishIn(tx)
    })
  }

  async #stop(organizationId: string, build: BuildStep, reason: string): Promise<void> {
    const { writes, clock } = this.#options
    const stopped = { buildState: 'failed', buildError: reason, updatedAt: isoNow(clock) } as const
    await writes.commit((tx) => updateBuild(tx, organizationId, build, stopped))
  }
}

const progress = (build: Build, copied: Copied, files: number): Changes => ({
  buildFilesDone: build.buildFilesDone + files,
  buildPassagesDone: build.buildPassagesDone + copied.passages,
  buildFilesSkipped: build.buildFilesSkipped + copied.skipped.length,
  buildError: null,
})

/** Row of an organization once this index serves. */
function toServingRow({ buildSource, buildSpace, buildModel, buildWorkspaceId }: Build) {
  if (buildSource === 'environment') return { ...NO_BUILD, space: null, model: null, workspaceId: null }
  return { ...NO_BUILD, space: buildSpace, model: buildModel, workspaceId: buildWorkspaceId }
}

/** First files, as many as make a step, one at least. */
function firstFiles(page: DataSource[]): DataSource[] {
  let passages = 0
  const end = page.findIndex(({ chunkCount }, at) => {
    passages += chunkCount
    return at > 0 && passages > PASSAGES_PER_STEP
  })
  return end < 0 ? page : page.slice(0, end)
}

const isLasting = (error: unknown): boolean =>
  error instanceof ModelNotAvailableError || (error instanceof ModelError && LASTING.has(error.reason))

const reasonOf = (error: unknown): string =>
  error instanceof DomainError ? error.message : 'The index could not be written because of a problem on the server'
