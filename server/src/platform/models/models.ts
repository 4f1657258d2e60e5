import { createLruCache } from '../lru-cache.ts'
import type { Logger } from '../telemetry/logger.ts'
import { createMetrics, type Metrics } from '../telemetry/metrics.ts'
import { createMeter } from './metered.ts'
import type { LanguageModel } from './model.ts'
import { type ModelProvider, PROVIDER_KINDS } from './model-provider.ts'
import { createFind, createModelSet, type ModelSet, type OwnModels } from './model-set.ts'
import type { ModelsConfig } from './models.config.ts'
import { isSetUp } from './providers.ts'

export type Models = ReturnType<typeof createModels>

/** A workspace, whose models are meant. */
export interface OfWorkspace {
  organizationId: string
  workspaceId: string
}

interface ModelUser extends OfWorkspace {
  /** `provider/model`; null: the default. */
  model: string | null
}

/** Connections to models of workspaces that are kept. */
const MOST_OWN = 1000

/**
 * The models of this server by their ids.
 * @param builtin models that run in this process, by the name after `builtin/`
 * @param metrics where their replies are counted
 * @param logger gets what a provider said of a failure
 * @param ownOf providers and choices of a workspace, as they are now
 */
export function createModels(
  config: ModelsConfig,
  {
    builtin,
    metrics = createMetrics(),
    logger,
    ownOf,
  }: {
    builtin: Record<string, LanguageModel>
    metrics?: Metrics
    logger?: Logger
    ownOf?: (of: OfWorkspace) => Promise<OwnModels>
  },
) {
  const metered = createMeter(metrics, logger)
  const finding = createFind(config, builtin)
  const setUp = new Set<string>(['builtin', ...PROVIDER_KINDS.filter((kind) => isSetUp(config, kind))])
  const ofServer = new Map<string, LanguageModel>()
  const ofWorkspaces = createLruCache<LanguageModel>(MOST_OWN)

  function resolve(id: string, own: readonly ModelProvider[] = []): LanguageModel {
    const version = isOfServer(id) ? undefined : own.find((provider) => id.startsWith(`${provider.id}/`))?.version
    const known = version ? ofWorkspaces.get(`${version} ${id}`) : ofServer.get(id)
    if (known) return known
    const model = metered(finding.find(id, own))
    if (version) ofWorkspaces.set(`${version} ${id}`, model)
    else ofServer.set(id, model)
    return model
  }

  /** Whether the environment alone says what this model is. */
  function isOfServer(id: string): boolean {
    const provider = id.slice(0, Math.max(0, id.indexOf('/')))
    return setUp.has(provider)
  }

  const server = createModelSet(finding, resolve)

  /** Models of a workspace: those of the server, and its own. */
  const of = async (workspace: OfWorkspace): Promise<ModelSet> =>
    ownOf ? createModelSet(finding, resolve, await ownOf(workspace)) : server

  return {
    ...server,
    of,
    isOfServer,

    /** Id of the model that an agent answers with; it costs a look into the workspace only where the agent names none. */
    idFor: async (agent: ModelUser): Promise<string> => agent.model ?? (await of(agent)).defaultModelId,

    /**
     * The model that an agent answers with. A model of the environment costs no look into the workspace.
     * @throws ModelNotAvailableError
     */
    async resolveFor(agent: ModelUser): Promise<LanguageModel> {
      if (agent.model && isOfServer(agent.model)) return server.resolve(agent.model)
      const set = await of(agent)
      return set.resolve(agent.model ?? set.defaultModelId)
    },
  }
}
