import type { FastifyPluginAsync } from 'fastify'
import type { VisitorUse } from '../access/access.ts'
import type { AgentService, FileMaker, JobService, MemoryService, ShortcutService, Toolbox } from '../agents/agents.ts'
import type { Kernel } from '../kernel.ts'
import { createSignedLinks } from '../platform/http/replies/signed-links.ts'
import type { Models } from '../platform/models/models.ts'
import type { InProject, ProjectService } from '../projects/projects.ts'
import type { createAttachmentReader } from '../retrieval/retrieval.ts'
import type { QuotaService, UsageService } from '../usage/usage.ts'
import type { EnsureVirtualUser, UserService } from '../users/users.ts'
import type { EmitEvent, WebhookService } from '../webhooks/webhooks.ts'
import type { Threads } from './chat/chats.access.ts'
import { chatRoutes } from './chat/chats.routes.ts'
import { ChatService } from './chat/chats.service.ts'
import { chatGivenUp } from './chats.given-up.ts'
import { chatTasks } from './chats.tasks.ts'
import { chatExportRoutes } from './export/chat-export.routes.ts'
import { createChatExport } from './export/chat-export.ts'
import { createChatMemory } from './memory/memory.service.ts'
import { memoryGivenUp, memoryTasks } from './memory/memory.tasks.ts'
import { KeptTurns, ReadTurns } from './memory/newest-turns.ts'
import { createCitedFiles } from './messages/citations/cited-files.ts'
import { messageRoutes } from './messages/messages.routes.ts'
import { MessageService } from './messages/messages.service.ts'
import { findStuckMessages, requeueStuckMessages } from './messages/stuck-messages.ts'
import { createMessageBodies } from './messages/webhook-body.ts'
import { createOutputService } from './outputs/outputs.service.ts'
import { ownChatRoutes } from './own/own-chats.routes.ts'
import { createOwnChats } from './own/own-chats.service.ts'
import { peopleRoutes } from './people/people.routes.ts'
import { PeopleService } from './people/people.service.ts'
import { createPersonExport } from './people/person-export.ts'
import { PostgresPlainQueries, SqlitePlainQueries } from './queries/plain-queries.ts'
import { queryRoutes } from './queries/queries.routes.ts'
import { QueryService } from './queries/queries.service.ts'
import { createQueryWrites } from './queries/query-writes.ts'
import { reviewRoutes } from './reviews/reviews.routes.ts'
import { ReviewService } from './reviews/reviews.service.ts'
import { type AnswerMessageOptions, answerMessage } from './runs/answer-message.ts'
import { createChatMaterial } from './runs/chat-material.ts'
import { openRuns } from './runs/open-runs.ts'
import { createRunMetrics } from './runs/runs.metrics.ts'
import { createProgress } from './runs/stored/progress.ts'
import { RunStore } from './runs/stored/run-store.ts'
import { chatSearchRoutes } from './search/chat-search.routes.ts'
import { createChatSearch } from './search/chat-search.ts'
import { createMessageIndexing } from './search/message-index.ts'
import { chatShareRoutes } from './shares/chat-shares.routes.ts'
import { createChatShares } from './shares/chat-shares.service.ts'
import { createChatTitles } from './titles/titles.service.ts'
import { titlesGivenUp, titleTasks } from './titles/titles.tasks.ts'

export { titleOf } from './chat/chat-title.ts'
export type { ChatService } from './chat/chats.service.ts'
export { emptyProject } from './chat/project-chats.store.ts'
export { MessageIdConflictError } from './chats.errors.ts'
export type { EventReader } from './events/event-batch.ts'
export type { StreamEvent } from './events/events.schemas.ts'
export { streamEvents } from './events/stream-events.ts'
export { messageBlobUses } from './messages/message-blobs.store.ts'
export type { ChatFile } from './messages/message-files.store.ts'
export type { MessagePath } from './messages/messages.schemas.ts'
export type { MessageService } from './messages/messages.service.ts'
export type { MessageRecord } from './messages/messages.store.ts'
export { usageOf } from './messages/messages.wire.ts'
export { findStuckMessages, requeueStuckMessages } from './messages/stuck-messages.ts'
export { outputRoutes } from './outputs/outputs.routes.ts'
export type { OutputService } from './outputs/outputs.service.ts'
export type { Answer } from './queries/answer.ts'
export { QuestionText, SendQuery } from './queries/queries.schemas.ts'
export type { QueryService } from './queries/queries.service.ts'
export { CANCELLED } from './runs/runs.errors.ts'

export interface ChatsNeeds {
  agents: AgentService
  models: Models
  toolbox: Toolbox
  fileMaker: FileMaker
  jobs: JobService
  shortcuts: ShortcutService
  memories: MemoryService
  readAttachment: ReturnType<typeof createAttachmentReader>
  users: UserService
  ensureVirtualUser: EnsureVirtualUser
  visitorUse: VisitorUse
  threadsAccess: Threads
  usage: UsageService
  quotas: QuotaService
  webhooks: WebhookService
  emitEvent: EmitEvent
  projects: ProjectService
  inProject: InProject
}

/** Chats, their messages, and the runs that answer them. */
export async function createChats(kernel: Kernel, needs: ChatsNeeds) {
  const { config, isAmongOthers, metrics, publicUrl } = kernel
  const all = { ...kernel, ...needs }
  const running = openRuns({ ...all, isShared: isAmongOthers })
  const { runs, registry, directory, follower } = running
  const chats = new ChatService({ ...all, runs })
  const chatMemory = createChatMemory({
    ...all,
    ...config.memory,
    newest: isAmongOthers ? new ReadTurns(kernel.db) : new KeptTurns(kernel.db),
  })
  const titles = createChatTitles(all)
  const answersAsync = config.role !== 'api'
  const plainQueries = isAmongOthers
    ? new PostgresPlainQueries({ ...all, queryWrites: createQueryWrites(all), directory, answersAsync })
    : new SqlitePlainQueries()
  const runStore = new RunStore({ ...all, plainQueries, directory, reviewTtlMs: config.reviews.ttlMs })
  const reviews = new ReviewService({ ...all, runStore, directory })
  const links = createSignedLinks({
    secret: await kernel.getSecret('links'),
    baseUrl: publicUrl,
    ttlMs: config.links.ttlMs,
    clock: kernel.clock,
  })
  const outputs = createOutputService({ ...all, links })
  const answering: AnswerMessageOptions = {
    ...all,
    outputs,
    material: createChatMaterial(all),
    memory: chatMemory,
    titles,
    store: runStore,
    storeProgressOf: createProgress(runStore),
    metrics: createRunMetrics(metrics, runs),
    isLinkHost: (host) => host === new URL(publicUrl()).hostname || config.agents.linkHosts(host),
  }
  const queries = new QueryService({
    ...all,
    ...running,
    chats,
    plainQueries,
    outputs,
    answerMessage: (run, task) => answerMessage(answering, run, task),
    answersAsync,
  })
  kernel.register({
    handlers: {
      ...memoryTasks({ memory: chatMemory }),
      ...titleTasks({ titles }),
      ...chatTasks({ chats, queries, reviews, directory }),
    },
    givenUp: { ...memoryGivenUp, ...titlesGivenUp, ...chatGivenUp({ directory }) },
    sweeps: [createMessageIndexing(kernel)],
    async start() {
      await running.start()
      await requeueStuck(kernel)
    },
    close: () => running.close(),
  })
  const messages = new MessageService({ ...all, chats, runs, follower, reviews, chatMemory })
  return {
    runs,
    registry,
    directory,
    chats,
    reviews,
    outputs,
    queries,
    /** Lets virtual users read the files that answers to them cite. */
    requireCited: createCitedFiles(kernel),
    people: new PeopleService({ ...all, runs, chatMemory }),
    ownChats: createOwnChats({ ...all, chats }),
    searchChats: createChatSearch(all),
    chatShares: createChatShares({ ...all, chats }),
    exportPerson: createPersonExport(all),
    messages,
    exportChat: createChatExport({ ...all, chats, messages, outputs }),
    ...createMessageBodies({ ...all, outputs }),
  }
}

/** Enqueues a task for each message that lost its own; if the disk is full, the next start does. */
async function requeueStuck({ db, writes, queue, logger }: Kernel): Promise<void> {
  const stuck = await findStuckMessages(db, queue)
  if (stuck.length === 0) return
  logger.warn({ messages: stuck.length }, 'messages without a task are enqueued again')
  await requeueStuckMessages(writes, queue, stuck).catch((error) =>
    logger.error({ err: error }, 'messages without a task could not be enqueued again'),
  )
}

type ChatsServices = Parameters<typeof chatRoutes>[0] &
  Parameters<typeof queryRoutes>[0] &
  Parameters<typeof messageRoutes>[0] &
  Parameters<typeof reviewRoutes>[0] &
  Parameters<typeof peopleRoutes>[0] &
  Parameters<typeof chatSearchRoutes>[0] &
  Parameters<typeof ownChatRoutes>[0] &
  Parameters<typeof chatShareRoutes>[0] &
  Parameters<typeof chatExportRoutes>[0]

export const chatsRoutes =
  (services: ChatsServices): FastifyPluginAsync =>
  async (app) => {
    await app.register(chatRoutes(services))
    await app.register(queryRoutes(services))
    await app.register(messageRoutes(services))
    await app.register(reviewRoutes(services))
    await app.register(peopleRoutes(services))
    await app.register(chatSearchRoutes(services))
    await app.register(ownChatRoutes(services))
    await app.register(chatShareRoutes(services))
    await app.register(chatExportRoutes(services))
  }
