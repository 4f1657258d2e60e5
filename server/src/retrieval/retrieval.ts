import type { FastifyPluginAsync } from 'fastify'
import { createParser } from '../content/read/parser/parse-file.ts'
import { hasIndexedFiles, reindexAll } from '../drive/drive.ts'
import type { Kernel } from '../kernel.ts'
import { isoNow } from '../platform/clock.ts'
import { createEmbeddings } from '../platform/models/embeddings/embeddings.ts'
import { examineSpace } from '../search/lance/checksums/examine-space.ts'
import { LanceEngine } from '../search/lance/lance-engine.ts'
import type { EmitEvent } from '../webhooks/webhooks.ts'
import { FileIndexer } from './indexing/index-file.ts'
import { createIndexRepair } from './indexing/index-repair.ts'
import { createAttachmentReader } from './reading/read-attachment.ts'
import { textRoutes } from './reading/text.routes.ts'
import { RetrievalService } from './retrieval.service.ts'
import { retrievalGivenUp, retrievalTasks } from './retrieval.tasks.ts'
import { searchRoutes } from './search.routes.ts'
import { organizationOf } from './space.ts'

export { type AttachedFile, searchAttached } from './reading/attached-files.ts'
export { formatLocation } from './reading/format-location.ts'
export { LocationSchema } from './reading/location.schema.ts'
export type { createAttachmentReader, StoredAttachment } from './reading/read-attachment.ts'
export { type ReadFrom, readPassages } from './reading/read-passages.ts'
export type { RetrievalService } from './retrieval.service.ts'
export type { FoundPassage, SearchKnowledgeData, WeighedTerm } from './search-data.ts'
export { spaceOf } from './space.ts'

/** The search index of all folders, the parsing of files, and searches. */
export function createRetrieval(kernel: Kernel, { emitEvent }: { emitEvent: EmitEvent }) {
  const { config, db, writes, queue, storage, workDir, cacheDir, clock, logger } = kernel
  const { parsers } = config.indexing
  const embedding = createEmbeddings(config.models, logger)
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
        .begun(organizationOf(space))
        .catch((error) => logger.error({ err: error }, 'a search index that is new is not looked at'))
    },
  })
  const indexRepair = createIndexRepair({
    ...kernel,
    engine,
    examine: (space) => examineSpace(storage.search, space),
    embedding,
  })
  const parser = createParser({ cacheFolder: cacheDir, ocrLanguages: config.ocr.languages })
  const indexer = new FileIndexer({ ...kernel, emitEvent, engine, parser, embedding, parsers })
  kernel.register({
    handlers: retrievalTasks({ db, engine, embedding, indexer, indexRepair }),
    givenUp: retrievalGivenUp({ writes, emitEvent, clock }),
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
    retrieval: new RetrievalService({ ...kernel, engine, embedding, indexRepair }),
    parser,
    readAttachment: createAttachmentReader({ ...kernel, parser, workDir, parsers }),
  }
}

export const retrievalRoutes =
  (services: Parameters<typeof searchRoutes>[0] & Parameters<typeof textRoutes>[0]): FastifyPluginAsync =>
  async (app) => {
    await app.register(searchRoutes(services))
    await app.register(textRoutes(services))
  }
