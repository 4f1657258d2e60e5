import { z } from 'zod'
import type { SettingsOfKind } from './queue.ts'

const ids = z.array(z.string())

/**
 * Every kind of background task: what it is given, how often it is tried, how many run at once in a process. Payloads
 * hold ids, never rows; a new field stays optional for as long as older tasks may wait.
 */
export const catalog = {
  /**
   * Reads a file and makes it findable; with `onlyTitle`, writes the passages of one that is again, under its new
   * title; with `fromParse`, those of one that was read before.
   */
  'retrieval.index': {
    payload: z.object({
      dataSourceId: z.string(),
      generation: z.number(),
      onlyTitle: z.boolean().optional(),
      fromParse: z.boolean().optional(),
    }),
    maxAttempts: 4,
    concurrency: 8,
    isShared: true,
  },
  /** Takes files that are deleted out of the search index. */
  'retrieval.remove': { payload: z.object({ dataSourceIds: ids }), maxAttempts: 20, concurrency: 1 },
  /** Tells the search index which folder a moved file is in now. */
  'retrieval.move': { payload: z.object({ dataSourceId: z.string() }), maxAttempts: 20, concurrency: 1 },
  /** Looks at an organization's search index, and makes again what is damaged or lost. */
  'retrieval.mend': { payload: z.object({}), maxAttempts: 20, concurrency: 1 },
  /** Writes the next files into the search index that is being built; `step` is its fence. */
  'retrieval.build-index': {
    payload: z.object({ buildId: z.string(), step: z.number() }),
    maxAttempts: 8,
    concurrency: 2,
  },
  /** Writes files that changed while an index took the place of another into the one that serves now. */
  'retrieval.catch-up': { payload: z.object({}), maxAttempts: 20, concurrency: 1 },
  /** Removes a search index that serves no more. */
  'retrieval.drop-index': { payload: z.object({ space: z.string() }), maxAttempts: 20, concurrency: 1 },
  /** Removes the rows below a deleted folder, in steps. */
  'drive.purge-folder': { payload: z.object({ folderId: z.string() }), maxAttempts: 20, concurrency: 1 },
  /** Syncs the folder of an integration with its source, and plans the next time. */
  'integrations.sync': {
    payload: z.object({ integrationId: z.string(), generation: z.number() }),
    maxAttempts: 5,
    concurrency: 2,
  },
  /** Removes bytes that no row refers to any more. */
  'drive.remove-blobs': { payload: z.object({ blobKeys: ids }), maxAttempts: 20, concurrency: 1 },
  /** Ends a message whose run waits for a person who did not decide in time. */
  'chats.expire-review': {
    payload: z.object({ reviewId: z.string(), messageId: z.string() }),
    maxAttempts: 20,
    concurrency: 4,
  },
  /** Ends the messages that wait for a person, of an agent that was deleted. */
  'chats.end-waiting': { payload: z.object({ agentId: z.string() }), maxAttempts: 20, concurrency: 1 },
  /** Removes chats that their project was deleted with. */
  'chats.remove': { payload: z.object({ chatIds: ids }), maxAttempts: 20, concurrency: 1 },
  /** Answers a message that was sent asynchronously, or that continues after a review. */
  'chats.answer': { payload: z.object({ messageId: z.string() }), maxAttempts: 20, concurrency: 500 },
  /** Sums up the older turns of a chat for its later answers. */
  'chats.summarize': {
    payload: z.object({ chatId: z.string(), budgetTokens: z.number() }),
    maxAttempts: 3,
    concurrency: 4,
  },
  /** Names a chat after its first answer, where the workspace chose a model for that. */
  'chats.title': { payload: z.object({ chatId: z.string() }), maxAttempts: 3, concurrency: 4 },
  /** Asks an agent the questions of a set. One at a time in a process, so that people come first. */
  'evaluation.run': { payload: z.object({ runId: z.string() }), maxAttempts: 8, concurrency: 1, isShared: true },
  /** Removes the question sets of an agent that was deleted, with their runs. */
  'evaluation.remove': { payload: z.object({ agentId: z.string() }), maxAttempts: 20, concurrency: 1 },
  /**
   * Sends the result of an asynchronous query or an event to its webhook, once; the schedule of retries is the
   * delivery's. `turn` is its fence, named as in tasks of the first release.
   */
  'webhooks.deliver': {
    payload: z.object({ deliveryId: z.string(), turn: z.number() }),
    maxAttempts: 20,
    concurrency: 200,
  },
} satisfies Record<string, SettingsOfKind>

export type TaskKind = keyof typeof catalog
export type PayloadOf<K extends TaskKind> = z.infer<(typeof catalog)[K]['payload']>
