import { randomUUID } from 'node:crypto'
import { type Caller, ForbiddenError, requireWholeKey } from '../../access/access.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import type { Tx } from '../../db.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import type { CreateLimiter } from '../../platform/cluster/limits/rate-limit.ts'
import { takeAdvisoryLock } from '../../platform/database/statements/advisory-locks.ts'
import { commitChecked } from '../../platform/database/statements/commit-checked.ts'
import { DomainError, invalidField } from '../../platform/errors.ts'
import type { ModelProvider } from '../../platform/models/model-provider.ts'
import { type ModelDefaults, type ModelSet, NO_DEFAULTS } from '../../platform/models/model-set.ts'
import type { ModelsConfig } from '../../platform/models/models.config.ts'
import type { Models } from '../../platform/models/models.ts'
import { askOffered } from '../../platform/models/offered/offered-models.ts'
import { getProvider, isProviderKind, isSetUp, OWN_URLS, ownProvider } from '../../platform/models/providers.ts'
import { isProviderOfIndex } from '../../retrieval/retrieval.ts'
import {
  ModelProviderByEnvironmentError,
  ModelProviderInUseError,
  ModelProviderNotFoundError,
} from '../agents.errors.ts'
import { hasSameAddress, keyToStore, requireAddress } from '../provider-settings/provider-settings.ts'
import type { PutModelDefaults } from './model-defaults.schemas.ts'
import type { PutModelProvider, TestModelProvider } from './model-providers.schemas.ts'
import {
  deleteModelProvider,
  findModelDefaults,
  listModelProviders,
  type ModelProviderRecord,
  namesOfAgentsWith,
  putModelDefaults,
  putModelProvider,
} from './model-providers.store.ts'
import { type OwnModelsOf, sealedFor } from './own-models.ts'

const MOST_PROVIDERS = 20
const TESTS = { perSecond: 0.2, burst: 20 }
const RESERVED = ['builtin', 'local']
/** Choices for which a model has to write. */
const WRITES_TEXTS = ['summaries', 'titles']
const RERANKING_TEST_MS = 2_000
const TEST_QUESTION = 'When does the valve open?'
const TEST_TEXTS = ['The valve opens at 40 degrees.', 'The garden is closed in winter.']

export interface ModelProvidersOptions extends Pick<KernelParts, 'clock' | 'db' | 'outbound' | 'writes'> {
  createLimiter: CreateLimiter
  models: Models
  ownModels: OwnModelsOf
  modelsConfig: ModelsConfig
}

/** Providers of models that admins of a workspace set up, and the models that it chose. */
export class ModelProviders {
  readonly #options: ModelProvidersOptions
  readonly #limiter: ReturnType<CreateLimiter>

  constructor(options: ModelProvidersOptions) {
    this.#options = options
    this.#limiter = options.createLimiter('test of a model provider', TESTS)
  }

  /** Providers of the workspace that the environment does not hide. */
  async list({ organizationId, workspaceId }: Caller): Promise<ModelProviderRecord[]> {
    const all = await listModelProviders(this.#options.db, organizationId, workspaceId)
    return all.filter(({ name }) => !isSetUp(this.#options.modelsConfig, name))
  }

  /** Providers that the environment sets up. */
  ofEnvironment(): ModelProvider[] {
    const { models, modelsConfig } = this.#options
    const set = models.providers().filter(({ id, missing }) => missing === null && id !== 'builtin')
    return set.map(({ id }) => getProvider(modelsConfig, id))
  }

  /** @throws ModelProviderByEnvironmentError, ForbiddenError, ValidationError */
  async put(caller: Caller, name: string, fields: PutModelProvider): Promise<ModelProviderRecord> {
    const { clock, writes, ownModels, modelsConfig } = this.#options
    requireWholeKey(caller, 'manage model providers')
    if (isSetUp(modelsConfig, name)) throw new ModelProviderByEnvironmentError()
    this.#requireFitting(name, fields)
    const box = await ownModels.box.get()
    const { organizationId, workspaceId } = caller
    return ownModels.changing(workspaceId, () =>
      commitChecked(writes, async (tx) => {
        await takeAdvisoryLock(tx, 'model providers', workspaceId)
        const all = await listModelProviders(tx, organizationId, workspaceId)
        const before = all.find((one) => one.name === name)
        if (!before && all.length >= MOST_PROVIDERS)
          throw new ForbiddenError(`A workspace has at most ${MOST_PROVIDERS} model providers`)
        const at = isoNow(clock)
        const { kind, base_url: baseUrl } = fields
        const record: ModelProviderRecord = {
          organizationId,
          workspaceId,
          name,
          kind,
          baseUrl,
          ...keyToStore(fields, before, (key) => box.seal(key, sealedFor({ organizationId, workspaceId, name }))),
          createdAt: before?.createdAt ?? at,
          updatedAt: at,
          version: randomUUID(),
        }
        if (record.apiKey === null && baseUrl === null) throw invalidField('api_key', 'must be given')
        await putModelProvider(tx, organizationId, record)
        await this.#record(tx, caller, before ? 'updated' : 'created', record)
        return record
      }),
    )
  }

  /** @throws ModelProviderNotFoundError, ModelProviderByEnvironmentError, ModelProviderInUseError, ForbiddenError */
  async remove(caller: Caller, name: string): Promise<void> {
    const { writes, ownModels, modelsConfig } = this.#options
    requireWholeKey(caller, 'manage model providers')
    const { organizationId, workspaceId } = caller
    const isHidden = isSetUp(modelsConfig, name)
    await ownModels.changing(workspaceId, () =>
      commitChecked(writes, async (tx) => {
        await takeAdvisoryLock(tx, 'model providers', workspaceId)
        const removed = (await listModelProviders(tx, organizationId, workspaceId)).find((one) => one.name === name)
        if (!removed) throw isHidden ? new ModelProviderByEnvironmentError() : new ModelProviderNotFoundError()
        if (!isHidden) await requireUnused(tx, removed)
        await deleteModelProvider(tx, organizationId, removed)
        await this.#record(tx, caller, 'deleted', removed)
      }),
    )
  }

  /** Asks a provider for its models, with its stored settings or with others. @throws RateLimitedError */
  async test(caller: Caller, name: string, { kind, base_url, api_key }: TestModelProvider) {
    requireWholeKey(caller, 'manage model providers')
    await this.#limiter.take(caller.workspaceId)
    const stored = await this.#find(caller, name)
    if (!kind && !stored) throw new ModelProviderNotFoundError()
    const provider = kind ? await this.#draft(name, { kind, base_url, api_key }, stored) : stored!.provider
    const began = performance.now()
    const { models, problem } = await askOffered(provider)
    return {
      is_ok: problem === null,
      latency_ms: Math.round(performance.now() - began),
      models: problem === null ? models.length : null,
      error_message: problem,
    }
  }

  /** Choices of a workspace. */
  async getDefaults({ organizationId, workspaceId }: Caller): Promise<ModelDefaults> {
    return (await findModelDefaults(this.#options.db, organizationId, workspaceId)) ?? NO_DEFAULTS
  }

  /** @throws ValidationError for a model that cannot be used, ForbiddenError */
  async putDefaults(caller: Caller, defaults: PutModelDefaults): Promise<ModelDefaults> {
    const { models, ownModels, writes, clock } = this.#options
    requireWholeKey(caller, 'manage model providers')
    const { organizationId, workspaceId } = caller
    const set = await models.of(caller)
    for (const [field, model] of Object.entries(defaults)) {
      if (!model) continue
      const problem = problemWith(set, field, model)
      if (problem) throw invalidField(field, problem)
      if (WRITES_TEXTS.includes(field) && !set.canConverse(model))
        throw invalidField(field, 'must be a model that writes texts of its own: this one only quotes')
    }
    const at = isoNow(clock)
    await ownModels.changing(workspaceId, () =>
      commitChecked(writes, async (tx) => {
        await takeAdvisoryLock(tx, 'model providers', workspaceId)
        await putModelDefaults(tx, organizationId, { workspaceId, at, ...defaults })
        const target = { type: 'workspace', id: workspaceId } as const
        await recordAudit(tx, caller, { action: 'workspace.models_changed', at, target, details: defaults })
      }),
    )
    return defaults
  }

  /** Asks a reranker to score two texts. @throws RateLimitedError */
  async testReranking(caller: Caller, model: string) {
    requireWholeKey(caller, 'manage model providers')
    await this.#limiter.take(caller.workspaceId)
    const { models, modelsConfig } = this.#options
    const set = await models.of(caller)
    const began = performance.now()
    const latency = () => Math.round(performance.now() - began)
    const limitMs = modelsConfig.rerank?.timeoutMs ?? RERANKING_TEST_MS
    const signal = AbortSignal.timeout(limitMs)
    try {
      await set.reranker(model).score(TEST_QUESTION, TEST_TEXTS, { signal })
      return { is_ok: true, latency_ms: latency(), error_message: null }
    } catch (error) {
      if (!signal.aborted && !(error instanceof DomainError)) throw error
      const isLate = signal.aborted
      const message = isLate ? `It did not answer within ${limitMs / 1000} s` : (error as Error).message
      return { is_ok: false, latency_ms: latency(), error_message: message }
    }
  }

  async #find(caller: Caller, name: string) {
    const { modelsConfig, outbound, ownModels } = this.#options
    if (isSetUp(modelsConfig, name)) return { provider: getProvider(modelsConfig, name) }
    const record = (await this.list(caller)).find((one) => one.name === name)
    if (!record) return undefined
    const { kind, baseUrl, version } = record
    const apiKey = await ownModels.openKey(record)
    return { record, provider: ownProvider({ name, kind, baseUrl, version, apiKey, guard: outbound }) }
  }

  async #draft(
    name: string,
    fields: PutModelProvider,
    stored: { record?: ModelProviderRecord; provider: ModelProvider } | undefined,
  ): Promise<ModelProvider> {
    const { outbound } = this.#options
    this.#requireFitting(name, fields)
    const { kind, base_url: baseUrl, api_key: given } = fields
    const keeps = given === undefined && stored?.record && hasSameAddress(fields, stored.record)
    const apiKey = keeps ? stored.provider.apiKey : (given ?? undefined)
    return ownProvider({ name, kind, baseUrl, apiKey, version: randomUUID(), guard: outbound })
  }

  /** @throws ValidationError */
  #requireFitting(name: string, fields: PutModelProvider): void {
    const { kind } = fields
    if (RESERVED.includes(name)) throw invalidField('name', `must not be ${name}, which is the server's own`)
    if (isProviderKind(name) && name !== kind) throw invalidField('kind', `must be ${name}, as its name says`)
    requireAddress(this.#options.outbound, fields, OWN_URLS[kind])
  }

  #record(
    tx: Tx,
    caller: Caller,
    what: 'created' | 'updated' | 'deleted',
    { name, kind, baseUrl }: ModelProviderRecord,
  ) {
    return recordAudit(tx, caller, {
      action: `model_provider.${what}`,
      at: isoNow(this.#options.clock),
      target: { type: 'model_provider', id: name, name },
      details: what === 'deleted' ? {} : { kind, base_url: baseUrl },
    })
  }
}

/** Reason that a model cannot be chosen for a kind of work, as a sentence. */
function problemWith(set: ModelSet, field: string, model: string): string | undefined {
  if (field === 'transcription') return set.problemWithTranscription(model)
  if (field === 'reranking') return set.problemWithReranking(model)
  return set.problemWith(model)
}

/** @throws ModelProviderInUseError */
async function requireUnused(tx: Tx, { organizationId, workspaceId, name }: ModelProviderRecord): Promise<void> {
  const agents = await namesOfAgentsWith(tx, organizationId, { workspaceId, name })
  if (agents.length > 0)
    throw new ModelProviderInUseError(`Agents answer with its models: ${agents.join(', ')}. Give them others first`)
  const defaults = (await findModelDefaults(tx, organizationId, workspaceId)) ?? NO_DEFAULTS
  if (Object.values(defaults).some((model) => model?.startsWith(`${name}/`)))
    throw new ModelProviderInUseError('A default of the workspace is one of its models. Choose another one first')
  if (await isProviderOfIndex(tx, organizationId, { workspaceId, name }))
    throw new ModelProviderInUseError('The search uses one of its models for embeddings. Choose another one first')
}
