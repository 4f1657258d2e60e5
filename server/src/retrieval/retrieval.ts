import type { FastifyPluginAsync } from 'fastify'
import { createParser } from '../content/read/parser/parse-file.ts'
import { createLanguageLoader } from '../content/read/pictures/language-data.ts'
import { hasIndexedFiles, reindexAll, type Unpacker } from '../drive/drive.ts'
import type { Kernel } from '../kernel.ts'
import { isoNow } from '../platform/clock.ts'
import { createEmbeddings } from '../platform/models/embeddings/embeddings.ts'
import { examineSpace } from '../search/lance/checksums/examine-space.ts'
import { LanceEngine } from '../search/lance/lance-engine.ts'
import type { EmitEvent } from '../webhooks/webhooks.ts'
import { IndexBuild } from './indexes/build-index.ts'
import { createIndexEmbeddings } from './indexes/index-embeddings.ts'
import { searchIndexRoutes } from './indexes/search-indexes.routes.ts'
import { SearchIndexService } from './indexes/search-indexes.service.ts'
import { createSearchIndexes } from './indexes/search-indexes.ts'
import { FileIndexer } from './indexing/index-file.ts'
import { createIndexRepair } from './indexing/index-repair.ts'
import { passageEditRoutes } from './passages/passage-edits.routes.ts'
import { createPassageEdits, type PassageEditOptions } from './passages/passage-edits.service.ts'
import { createAttachmentReader } from './reading/read-attachment.ts'
import { textRoutes } from './reading/text.routes.ts'
import { createRerankers, type RerankersOptions } from './reranking/rerankers.ts'
import { RetrievalService } from './retrieval.service.ts'
import { retrievalGivenUp, retrievalTasks } from './retrieval.tasks.ts'
import { searchRoutes } from './search.routes.ts'
import { organizationOf } from './space.ts'
import { createFindSpeechModel, type SpeechModelOptions } from './transcripts/speech-models.ts'
import { Transcripts, type TranscriptsOptions } from './transcripts/transcripts.ts'

export { findServingSpace, isProviderOfIndex } from './indexes/serving-space.ts'
export { type AttachedFile, searchAttached } from './reading/attached-files.ts'
export { formatLocation } from './reading/format-location.ts'
export { LocationSchema } from './reading/location.schema.ts'
export type { createAttachmentReader, StoredAttachment } from './reading/read-attachment.ts'
export { type ReadFrom, readPassages } from './reading/read-passages.ts'
export type { RetrievalService } from './retrieval.service.ts'
export {
  type FoundPassage,
  type KeptSearch,
  keptSearch,
  type SearchKnowledgeData,
  type WeighedTerm,
} from './search-data.ts'

type RetrievalNeeds = Pick<RerankersOptions, 'ownModels'> &
  Pick<SpeechModelOptions, 'findSpeechWorkspace' | 'workspaceOfKey'> &
  Pick<TranscriptsOptions, 'usage' | 'quotas'> &
  Pick<PassageEditOptions, 'dataSources'> & { emitEvent: EmitEvent; unpacker: Unpacker }

/** The search index of all folders, the parsing of files, and searches. */
export function createRetrieval(kernel: Kernel, needs: RetrievalNeeds) {
  const { emitEvent, ownModels, dataSources, unpacker } = needs
  const { config, db, writes, queue, storage, workDir, cacheDir, clock, logger } = kernel
  const { parsers } = config.indexing
  const embedding = createEmbeddings(config.models, logger)
  const embeddings = createIndexEmbeddings({
    ...kernel,
    ownProviders: async (of) => (await ownModels(of)).providers,
    modelsConfig: config.models,
    modelsFolder: config.models.folder,
  })
  const indexes = createSearchIndexes({ ...kernel, embedding, embeddings })
  const rerankers = createRerankers({ ...kernel, ownModels, modelsConfig: config.models })
  const engine = new LanceEngine({
    ...storage.search,
    ...config.search,
    shared: kernel.isAmongOthers,
    compacts: config.role !== 'api',
    runExclusive: kernel.runExclusive,
    onBackgroundError: (error) =>
      logger.error({ err: error }, 'the search index could not be kept up in the background'),
    onSuspect: (space, error) => indexRepair.ask(organizationOf(space), error),
    onBegun(space) {
      indexRepair
        .begun(space)
        .catch((error) => logger.error({ err: error }, 'a search index that is new is not looked at'))
    },
  })
  const indexRepair = createIndexRepair({
    ...kernel,
    engine,
    examine: (space) => examineSpace(storage.search, space),
    indexes,
  })
  const loadLanguage = createLanguageLoader({
    cacheFolder: cacheDir,
    source: config.ocr.data,
    outbound: kernel.outbound,
    onFailure: (language, error) =>
      logger.warn({ err: error, language }, 'the data for recognising a language in pictures could not be loaded'),
  })
  const parser = createParser({ cacheFolder: cacheDir, ocrLanguages: config.ocr.languages, loadLanguage })
  const transcripts = new Transcripts({
    ...kernel,
    ...needs,
    findSpeechModel: createFindSpeechModel({ ...needs, modelsConfig: config.models }),
    mostBytes: config.recordings.mostBytes,
  })
  const indexer = new FileIndexer({ ...kernel, emitEvent, unpacker, engine, parser, transcripts, indexes, parsers })
  const indexBuild = new IndexBuild({ ...kernel, engine, indexes, embeddings, embedding })
  kernel.register({
    handlers: retrievalTasks({ db, writes, engine, indexes, indexBuild, indexer, indexRepair }),
    givenUp: retrievalGivenUp({ ...kernel, emitEvent, indexBuild }),
    /** Makes the index again if it was deleted: it is derived. */
    async start() {
      if ((await storage.hasSearchIndex()) || !(await hasIndexedFiles(db))) return
      const files = await reindexAll(writes, queue, isoNow(clock))
      logger.warn({ files }, 'the search index is gone and is made again')
    },
    async close() {
      await parser.close()
      await engine.close()
    },
  })
  return {
    retrieval: new RetrievalService({ ...kernel, engine, indexes, indexRepair, rerankers }),
    searchIndex: new SearchIndexService({ ...kernel, indexes, embeddings, embedding }),
    passageEdits: createPassageEdits({ ...kernel, dataSources }),
    parser,
    readAttachment: createAttachmentReader({ ...kernel, parser, workDir, parsers }),
  }
}

export const retrievalRoutes =
  (
    services: Parameters<typeof searchRoutes>[0] &
      Parameters<typeof textRoutes>[0] &
      Parameters<typeof passageEditRoutes>[0] &
      Parameters<typeof searchIndexRoutes>[0],
  ): FastifyPluginAsync =>
  async (app) => {
    await app.register(searchRoutes(services))
    await app.register(textRoutes(services))
    await app.register(passageEditRoutes(services))
    await app.register(searchIndexRoutes(services))
  }
