import { createLruCache } from '../../platform/lru-cache.ts'
import { createEmbedding } from '../../platform/models/embeddings/embeddings.ts'
import { localFolderOf, localFolders } from '../../platform/models/local/local-folder.ts'
import type { EmbeddingModel } from '../../platform/models/model.ts'
import type { ModelProvider } from '../../platform/models/model-provider.ts'
import type { ModelsConfig } from '../../platform/models/models.config.ts'
import type { Logger } from '../../platform/telemetry/logger.ts'

/** A model that a workspace chose, by one of its providers or by the environment's. */
export interface ChosenModel {
  organizationId: string
  workspaceId: string
  /** `PROVIDER/MODEL`, or `local/FOLDER` for a folder in `DATA_DIR/models`. */
  model: string
}

export interface IndexEmbeddingsOptions {
  modelsConfig: ModelsConfig
  /** Providers that a workspace set up, as they are now. */
  ownProviders(of: { organizationId: string; workspaceId: string }): Promise<readonly ModelProvider[]>
  /** Holds folders of models that workspaces may choose. */
  modelsFolder: string
  logger: Logger
}

const MOST_KEPT = 200

export type IndexEmbeddings = ReturnType<typeof createIndexEmbeddings>

/** Embedding models that workspaces choose for their search. */
export function createIndexEmbeddings({ modelsConfig, ownProviders, modelsFolder, logger }: IndexEmbeddingsOptions) {
  const kept = createLruCache<EmbeddingModel>(MOST_KEPT)

  const folderOf = (name: string) => localFolderOf(modelsFolder, name)

  /** @throws ModelNotAvailableError that says what is missing */
  async function resolve({ model: id, ...of }: ChosenModel): Promise<EmbeddingModel> {
    const own = await ownProviders(of)
    const version = own.find((provider) => id.startsWith(`${provider.id}/`))?.version ?? ''
    const key = `${version} ${id}`
    const known = kept.get(key)
    if (known) return known
    const model = createEmbedding(modelsConfig, { id, own, folderOf, logger })
    kept.set(key, model)
    return model
  }

  return {
    resolve,

    /** The model, found again for each call: its provider may have changed. */
    of: (chosen: ChosenModel): EmbeddingModel => ({
      id: chosen.model,
      embed: async (texts, options) => (await resolve(chosen)).embed(texts, options),
    }),

    /** Models on disk that can be chosen, as `local/FOLDER`. */
    listLocal: (): string[] => localFolders(modelsFolder).map((name) => `local/${name}`),
  }
}
