import { join } from 'node:path'
import { type KyselyPlugin, sql } from 'kysely'
import { createAccessService } from './access/access.service.ts'
import { createKeyService } from './access/keys/keys.service.ts'
import { createFailedAttempts } from './access/limits/failed-attempts.ts'
import { createVisitorUseRetention } from './access/limits/visitor-use.retention.ts'
import { createVisitorUse } from './access/limits/visitor-use.ts'
import { serverSecret } from './access/server-secret.ts'
import { createSessionService } from './access/sessions/sessions.service.ts'
import { createAccounts } from './accounts/accounts.ts'
import { createDoctorService } from './admin/doctor/doctor.service.ts'
import { agentNames } from './agents/agent/agents.names.store.ts'
import { createAgentService } from './agents/agent/agents.service.ts'
import { createLiveLists } from './agents/agent/live-lists.ts'
import { createConfiguration } from './agents/configurator/configuration.ts'
import { proposeChanges } from './agents/configurator/propose-changes.ts'
import { createExtractiveModel } from './agents/extractive/extractive-model.ts'
import { createJobService } from './agents/jobs/jobs.service.ts'
import { createMcpService } from './agents/mcp/mcp.service.ts'
import { mcpTools } from './agents/mcp/mcp-tools.ts'
import { createMemoryService } from './agents/memories/memories.service.ts'
import { createShortcutService } from './agents/shortcuts/shortcuts.service.ts'
import { askPerson } from './agents/tools/ask-person.ts'
import { callAgent } from './agents/tools/call-agent.ts'
import { createFile } from './agents/tools/create-file.ts'
import { fetchPage } from './agents/tools/fetch-page.ts'
import { listFiles } from './agents/tools/list-files.ts'
import { readFile } from './agents/tools/read-file.ts'
import { remember } from './agents/tools/remember.ts'
import { runJavaScript } from './agents/tools/run-javascript.ts'
import { searchKnowledge } from './agents/tools/search-knowledge.ts'
import { createToolbox } from './agents/tools/toolbox.ts'
import { createWebPages } from './agents/web-pages/web-pages.ts'
import { createAuditRetention } from './audit/audit.retention.ts'
import { ChatService } from './chats/chat/chats.service.ts'
import { chatGivenUp, chatTasks } from './chats/chats.tasks.ts'
import { createChatMemory } from './chats/memory/memory.service.ts'
import { memoryGivenUp, memoryTasks } from './chats/memory/memory.tasks.ts'
import { messageBlobUses } from './chats/messages/message-blobs.store.ts'
import { MessageService } from './chats/messages/messages.service.ts'
import { createOutputService } from './chats/messages/outputs.service.ts'
import { findStuckMessages, mendStuckMessages } from './chats/messages/stuck-messages.ts'
import { createMessageBody } from './chats/messages/webhook-body.ts'
import { PeopleService } from './chats/people/people.service.ts'
import { QueryService } from './chats/queries/queries.service.ts'
import { createQueryWrites } from './chats/queries/query-writes.ts'
import { ReviewService } from './chats/reviews/reviews.service.ts'
import { type AnswerMessageOptions, answerMessage } from './chats/runs/answer-message.ts'
import { createChatMaterial } from './chats/runs/chat-material.ts'
import { openRuns } from './chats/runs/open-runs.ts'
import { createProgress } from './chats/runs/progress.ts'
import { RunStore } from './chats/runs/run-store.ts'
import { createRunMetrics } from './chats/runs/runs.metrics.ts'
import type { Config } from './config.ts'
import { createParser } from './content/read/parse-file.ts'
import { createSandbox } from './content/sandbox/sandbox.ts'
import { createFileMaker } from './content/write/file-maker.ts'
import type { Tables } from './db.ts'
import { driveGivenUp, driveTasks } from './drive/drive.tasks.ts'
import { createDataSourceService } from './drive/files/data-sources.service.ts'
import { createLinkedDrive } from './drive/files/linked.service.ts'
import { createFolderService } from './drive/folders/folders.service.ts'
import { createShareService } from './drive/shares/shares.service.ts'
import { createUploadExpiry } from './drive/uploads/uploads.expiry.ts'
import { createUploadService } from './drive/uploads/uploads.service.ts'
import { joinInstallation } from './installation.ts'
import { directoryKind } from './integrations/directory/directory-kind.ts'
import { createIntegrationService } from './integrations/integrations.service.ts'
import { integrationTasks } from './integrations/integrations.tasks.ts'
import { createLinkService } from './links/links.service.ts'
import { createVisitorTokens, VISITOR_PREFIX } from './links/visitor-tokens.ts'
import { createVisitorService } from './links/visitors.service.ts'
import { migrations } from './migrations/index.ts'
import { type Clock, isoNow, systemClock } from './platform/clock.ts'
import { openDatabase } from './platform/database/open.ts'
import { createCrashCheck } from './platform/database/sqlite/crash-check.ts'
import { createDiskRoom } from './platform/disk-room.ts'
import { createSignedLinks } from './platform/http/replies/signed-links.ts'
import { urlOf } from './platform/http/url-of.ts'
import { createIds } from './platform/ids.ts'
import { createMcpPool } from './platform/mcp/pool.ts'
import { createEmbeddings } from './platform/models/embeddings/embeddings.ts'
import { createModels } from './platform/models/models.ts'
import { createOutbound } from './platform/outbound/outbound.ts'
import { createSecretBox } from './platform/secret-box.ts'
import { createSweep } from './platform/sweep.ts'
import type { Logger } from './platform/telemetry/logger.ts'
import { createMetrics } from './platform/telemetry/metrics.ts'
import { addProcessMetrics } from './platform/telemetry/process-metrics.ts'
import { createWorkFolder } from './platform/work-folder.ts'
import type { TaskKind } from './queue/catalog.ts'
import { openQueue } from './queue/open-queue.ts'
import { addQueueMetrics } from './queue/queue.metrics.ts'
import { releaseAllTasks } from './queue/queue.store.ts'
import { createSuspects } from './queue/suspects.ts'
import { Worker } from './queue/worker.ts'
import { createIndexFile } from './retrieval/indexing/index-file.ts'
import { createMending } from './retrieval/indexing/mending.ts'
import { hasIndexedFiles, reindexAll } from './retrieval/indexing/reindex.ts'
import { createAttachmentReader } from './retrieval/reading/read-attachment.ts'
import { createRetrievalService } from './retrieval/retrieval.service.ts'
import { retrievalGivenUp, retrievalTasks } from './retrieval/retrieval.tasks.ts'
import { organizationOf } from './retrieval/space.ts'
import { examineSpace } from './search/lance/examine-space.ts'
import { createLanceEngine } from './search/lance/lance-engine.ts'
import { createUnfinishedSweep, openStorage, removeUnfinishedOfDead } from './storage.ts'
import { createPrices } from './usage/prices/prices.ts'
import { createQuotaService } from './usage/quotas/quotas.service.ts'
import { createUsageService } from './usage/usage.service.ts'
import { createEnsureVirtualUser } from './users/attribution.ts'
import { createUserService } from './users/users.service.ts'
import { createDeliveryRetention } from './webhooks/deliveries/deliveries.retention.ts'
import { createDeliveryService } from './webhooks/deliveries/deliveries.service.ts'
import { createSecretService } from './webhooks/secrets/secrets.service.ts'
import { createWebhookMetrics } from './webhooks/webhooks.metrics.ts'
import { createWebhookService } from './webhooks/webhooks.service.ts'
import { webhookTasks } from './webhooks/webhooks.tasks.ts'

export type Services = Awaited<ReturnType<typeof createServices>>

export interface ServicesOptions {
  config: Config
  logger: Logger
  clock?: Clock
  /** See every statement before it runs: how the tests watch over them. */
  databasePlugins?: KyselyPlugin[]
}

/** Kinds of tasks that go on while the disk is full. */
const MAKES_ROOM = new Set<TaskKind>(['drive.purge-folder', 'drive.remove-blobs'])

/** Everything that the server is made of, built once, in order. */
export async function createServices({ config, logger, clock = systemClock, databasePlugins }: ServicesOptions) {
  const newId = createIds()
  const metrics = createMetrics()
  const committed = metrics.histogram({
    name: 'docent_database_commit_writes',
    help: 'Writes that shared one transaction and one disk flush.',
    buckets: [1, 2, 5, 10, 20, 50, 100, 200],
  })
  const onCommitted = (writes: number) => committed([], writes)
  const crashCheck = config.database.postgres ? undefined : createCrashCheck({ dataDir: config.dataDir, logger })
  // PostgreSQL's disk is its own.
  const room = config.database.postgres ? undefined : createDiskRoom({ dataDir: config.dataDir, logger })
  const onFull = room && (() => room.noteFull())
  const database = await openDatabase<Tables>(config.dataDir, migrations, {
    postgres: config.database.postgres && {
      ...config.database.postgres,
      onIdleError: (error) => logger.warn({ err: error }, 'an idle connection to PostgreSQL ended'),
      onPulse: (isThere) =>
        isThere ? logger.info('PostgreSQL answers again') : logger.error('PostgreSQL does not answer'),
      onUnboundRole: (role) =>
        logger.warn({ role }, 'this PostgreSQL role bypasses row level security: use one that is no superuser'),
    },
    plugins: databasePlugins,
    onCommitted,
    onFull,
  })
  const { db, writes } = database
  const installation = await joinInstallation({ config, db, newId, logger, metrics })
  const { signals, processes, createLimiter, openStreams, runAlone } = installation
  const isAmongOthers = config.database.postgres !== undefined
  const workFolder = createWorkFolder({ dataDir: config.dataDir, processes, logger })
  const workDir = workFolder.path
  const storage = await openStorage({
    dataDir: config.dataDir,
    s3: config.s3,
    isShared: isAmongOthers,
    workDir,
    processId: processes.id,
    onFull,
  })
  removeUnfinishedOfDead(storage, processes, logger)
  const { blobs } = storage
  const queue = await openQueue({ database, newId, clock, signals, logger })
  const cacheDir = join(config.dataDir, 'cache')
  const access = createAccessService({ db, writes, newId, clock, logger })
  const sessions = createSessionService({
    db,
    writes,
    newId,
    clock,
    logger,
    access,
    signals,
    ttlMs: config.access.sessionTtlMs,
  })
  const keys = createKeyService({
    db,
    writes,
    newId,
    clock,
    onRevoked: (keyId) => signals.publish('keys.revoked', keyId),
  })
  signals.subscribe('keys.revoked', (keyId) => {
    access.forget(keyId)
    sessions.forget(keyId)
  })
  const rateLimiter = createLimiter('key', config.access.rateLimit)
  const failedAttempts = createFailedAttempts(createLimiter, config.access.failedPerMinute)
  const ensureVirtualUser = createEnsureVirtualUser({ newId, clock })
  const users = createUserService({ db, writes, newId, clock })
  const quotas = createQuotaService({ db, writes, newId, clock, keys, users, signals })
  const usage = createUsageService({
    db,
    clock,
    quotas,
    prices: createPrices({ ...config.usage.prices, logger }),
    names: {
      agents: (organizationId, ids) => agentNames(db, organizationId, ids),
      keys: keys.namesOf,
      users: users.namesOf,
    },
  })
  const folders = createFolderService({ db, writes, queue, newId, clock })
  const shares = createShareService({ db, writes, clock })
  const dataSources = createDataSourceService({ db, writes, queue, newId, clock })
  const visitorUse = createVisitorUse({ writes, clock, limits: config.visitors })
  const uploads = createUploadService({
    writes,
    blobs,
    newId,
    clock,
    ensureVirtualUser,
    visitorUse,
    limits: config.uploads,
  })
  const kinds = [directoryKind({ roots: config.integrations.directoryRoots, dataDir: config.dataDir })]
  const integrations = createIntegrationService({ db, writes, queue, folders, kinds, newId, clock })
  const linkedDrive = createLinkedDrive({ queue, blobs, newId, clock, maxBytes: config.uploads.maxBytes })
  const syncing = integrationTasks({ db, writes, queue, drive: linkedDrive, folders, kinds, clock })

  const embedding = createEmbeddings(config.models, logger)
  const engine = createLanceEngine({
    ...storage.search,
    ...config.search,
    shared: isAmongOthers,
    compacts: config.role !== 'api',
    runAlone,
    onBackgroundError: (error) =>
      logger.error({ err: error }, 'the search index could not be kept up in the background'),
    onSuspect: (space, error) => mending.ask(organizationOf(space), error),
    onBegun(space) {
      mending
        .begun(organizationOf(space))
        .catch((error) => logger.error({ err: error }, 'a search index that is new is not looked at'))
    },
  })
  const mending = createMending({
    db,
    writes,
    queue,
    engine,
    examine: (space) => examineSpace(storage.search, space),
    embedding,
    runAlone,
    clock,
    logger,
  })
  const retrieval = createRetrievalService({ db, engine, blobs, embedding, mending, logger })
  const parser = createParser({ cacheFolder: cacheDir, ocrLanguages: config.ocr.languages })
  const indexFile = createIndexFile({
    db,
    writes,
    queue,
    blobs,
    engine,
    parser,
    embedding,
    newId,
    clock,
    workDir,
    parsers: config.indexing.parsers,
  })
  const models = createModels(config.models, { builtin: { extractive: createExtractiveModel() }, metrics, logger })
  const outbound = createOutbound(config.outbound)
  const mcpPool = createMcpPool({ outbound, logger })
  const mcp = createMcpService({
    pool: mcpPool,
    guard: outbound,
    secrets: createSecretBox(await serverSecret(db, 'secrets'), 'mcp'),
    commands: config.mcp.commands,
  })
  const agents = createAgentService({ db, writes, queue, newId, clock, models, mcp, signals })
  const memories = createMemoryService({ db, writes, newId, clock, users })
  const builtinTools = [
    searchKnowledge(retrieval),
    readFile(retrieval),
    listFiles(retrieval),
    createFile(createFileMaker({ cacheFolder: cacheDir, fonts: config.files.fonts })),
    askPerson(),
    remember(memories),
    fetchPage(createWebPages({ outbound, parser, workDir, isAllowed: config.agents.fetchHosts }), {
      asksForHosts: config.agents.fetchAsks && config.agents.fetchHosts.isAll === true,
    }),
    runJavaScript(createSandbox()),
  ]
  const liveLists = createLiveLists({ db })
  const configuration = createConfiguration({
    db,
    models,
    liveLists,
    toolDescriptions: () => Object.fromEntries(builtinTools.map(({ name, description }) => [name, description])),
  })
  const toolbox = createToolbox({
    builtin: builtinTools,
    sources: [
      callAgent(agents),
      mcpTools({ pool: mcpPool, mcp }),
      proposeChanges({ configuration, check: agents.check }),
    ],
  })
  const visitorTokens = createVisitorTokens(await serverSecret(db, 'visitors'))
  const visitors = createVisitorService({
    db,
    newId,
    clock,
    agents,
    tokens: visitorTokens,
    findInsider: (organizationId, { kind, id }) => (kind === 'key' ? access : sessions).byId(organizationId, id),
  })
  const agentLinks = createLinkService({ db, writes, newId, clock, agents })
  let publicUrl = config.http.publicUrl ?? urlOf(config.http.host, config.http.port)
  const accounts = createAccounts({
    db,
    writes,
    newId,
    clock,
    logger,
    signals,
    access,
    sessions,
    keys,
    liveLists,
    createLimiter,
    failedAttempts,
    config,
    publicUrl: () => publicUrl,
  })
  const jobs = createJobService({ db, writes, newId, clock, agents })
  const shortcuts = createShortcutService({ db, writes, newId, clock, agents })

  const webhooks = createWebhookService({ queue, outbound, newId, clock })
  const webhookSecrets = createSecretService({ db, writes, newId, clock })
  const deliveries = createDeliveryService({ db, writes, queue, clock })

  const running = openRuns({
    db,
    writes,
    usage,
    webhooks,
    newId,
    clock,
    logger,
    processes,
    signals,
    isShared: isAmongOthers,
  })
  const { runs, registry, directory, follower } = running
  const chats = new ChatService({ db, writes, newId, clock, agents, runs, queue, visitorUse })
  const chatMemory = createChatMemory({ db, writes, queue, clock, agents, models, usage, runAlone, ...config.memory })
  const people = new PeopleService({ db, writes, queue, users, runs, usage, clock, chatMemory, memories })
  const queryWrites = isAmongOthers ? createQueryWrites({ db, webhooks, queue, onCommitted }) : undefined
  const runStore = new RunStore({
    writes,
    queryWrites,
    webhooks,
    usage,
    queue,
    directory,
    newId,
    clock,
    logger,
    reviewTtlMs: config.reviews.ttlMs,
  })
  const reviews = new ReviewService({ db, writes, queue, clock, agents, models, runStore, directory })
  const messages = new MessageService({ db, writes, chats, runs, follower, queue, reviews, chatMemory })
  const links = createSignedLinks({
    secret: await serverSecret(db, 'links'),
    baseUrl: () => publicUrl,
    ttlMs: config.links.ttlMs,
    clock,
  })
  const outputs = createOutputService({ db, writes, blobs, queue, newId, clock, links })
  const readAttachment = createAttachmentReader({ blobs, parser, workDir, parsers: config.indexing.parsers })
  const answering: AnswerMessageOptions = {
    clock,
    models,
    toolbox,
    outputs,
    material: createChatMaterial({ db, readAttachment }),
    memory: chatMemory,
    store: runStore,
    storeProgressOf: createProgress(runStore),
    metrics: createRunMetrics(metrics, runs),
    isLinkHost: (host) => host === new URL(publicUrl).hostname || config.agents.linkHosts(host),
    logger,
  }
  const queries = new QueryService({
    db,
    writes,
    newId,
    clock,
    chats,
    queryWrites,
    runs,
    queue,
    webhooks,
    agents,
    jobs,
    shortcuts,
    outputs,
    quotas,
    answerMessage: (run, task) => answerMessage(answering, run, task),
    ensureVirtualUser,
    processes,
    follower,
    registry,
    directory,
    answersAsync: config.role !== 'api',
  })

  const deliveryTasks = webhookTasks({
    db,
    writes,
    queue,
    outbound,
    secrets: webhookSecrets,
    messageBody: createMessageBody({ db, outputs }),
    newId,
    clock,
    metrics: createWebhookMetrics(metrics, { db }),
    ...config.webhooks,
  })

  if (!database.pool) await releaseAllTasks(db)
  const suspects = createSuspects({ db, writes, processes, clock, logger })
  const worker = new Worker({
    queue,
    clock,
    logger,
    suspects,
    handlers: {
      ...syncing.handlers,
      ...driveTasks({ db, writes, queue, blobs, otherBlobUses: [messageBlobUses], isFull: room?.isFull }),
      ...retrievalTasks({ db, engine, embedding, indexFile, mending }),
      ...memoryTasks({ memory: chatMemory }),
      ...chatTasks({ queries, reviews, directory }),
      ...deliveryTasks.handlers,
    },
    givenUp: {
      ...syncing.givenUp,
      ...driveGivenUp,
      ...retrievalGivenUp({ db, clock }),
      ...memoryGivenUp,
      ...chatGivenUp({ directory }),
      ...deliveryTasks.givenUp,
    },
    concurrency: { 'retrieval.index': config.indexing.files },
    mayBegin: (kind) => !room?.isFull() || MAKES_ROOM.has(kind),
  })
  room?.onRoom(() => worker.look())
  const doctor = createDoctorService(config)
  /** Gives a task to each message that has none any more; a full disk, say, leaves that to the next start. */
  async function takeUpStuck(): Promise<void> {
    const stuck = await findStuckMessages(db, queue)
    if (stuck.length === 0) return
    logger.warn({ messages: stuck.length }, 'messages without a task are taken up again')
    await mendStuckMessages(writes, queue, stuck).catch((error) =>
      logger.error({ err: error }, 'messages without a task could not be taken up again'),
    )
  }

  addProcessMetrics(metrics)
  metrics.gauge({
    name: 'docent_processes',
    help: 'Processes of this installation that live, as this one sees it.',
    labels: ['role'],
    read: () => Object.entries(processes.count()).map(([role, value]) => ({ labels: [role], value })),
  })
  addQueueMetrics(metrics, queue)
  const { auditMs, deliveriesMs } = config.retention
  const sweeps = [
    createUploadExpiry({ db, writes, queue, clock, logger, ttlMs: config.uploads.ttlMs }),
    createVisitorUseRetention({ db, writes, clock, logger }),
    createAuditRetention({ writes, clock, logger, keptMs: auditMs }),
    createDeliveryRetention({ writes, clock, logger, keptMs: deliveriesMs }),
    ...installation.litter.map((litter) => createSweep({ ...litter, everyMs: 60_000, limit: 1_000, logger })),
    createUnfinishedSweep(storage, isAmongOthers || config.s3 !== undefined, logger),
    createSweep({ what: 'troubles of tasks', step: suspects.removeOld, everyMs: 3_600_000, limit: 500, logger }),
  ]

  return {
    config,
    logger,
    clock,
    newId,
    metrics,
    db,
    writes,
    blobs,
    queue,
    access,
    sessions,
    keys,
    accounts,
    members: accounts.members,
    liveLists,
    rateLimiter,
    failedAttempts,
    createLimiter,
    openStreams,
    users,
    quotas,
    usage,
    folders,
    shares,
    integrations,
    dataSources,
    uploads,
    retrieval,
    models,
    agents,
    agentLinks,
    visitors: { prefix: VISITOR_PREFIX, ...visitors },
    mcp,
    jobs,
    shortcuts,
    chats,
    messages,
    reviews,
    people,
    memories,
    outputs,
    queries,
    runs,
    registry,
    directory,
    deliveries,
    webhookSecrets,
    publicUrl: () => publicUrl,
    doctor,
    room,
    dependencies: {
      database: () => sql`select 1`.execute(db),
      ...(config.s3 && { 'object storage': () => storage.hasSearchIndex() }),
    },
    /** Takes the URL for links that leave the server, unless a setting says it. */
    listensAt(url: string) {
      publicUrl = config.http.publicUrl ?? url
    },
    /** Ends what an earlier process left running, and begins the work in the background. */
    async start() {
      room?.start()
      await processes.start()
      workFolder.start()
      await running.start()
      await takeUpStuck()
      // The index is derived: one that was deleted is made again.
      if (!(await storage.hasSearchIndex()) && (await hasIndexedFiles(db))) {
        const files = await reindexAll(writes, queue, isoNow(clock))
        logger.warn({ files }, 'the search index is gone and is made again')
      }
      if (config.role === 'api') return
      worker.start()
      for (const sweep of sweeps) sweep.start()
      crashCheck?.run().catch((error) => logger.error({ err: error }, 'the database was not checked'))
    },
    /** Ends it, once requests have ended; what was interrupted goes on with the next start. */
    async close() {
      doctor.close()
      crashCheck?.stop()
      await Promise.all(sweeps.map((sweep) => sweep.stop()))
      await worker.stop()
      running.close()
      await mcpPool.close()
      await parser.close()
      await engine.close()
      storage.close()
      await workFolder.stop()
      await room?.stop()
      await processes.stop()
      await queue.close()
      await signals.close()
      await database.close()
    },
  }
}
