import { type AnswerStream, DocentError, type Message, newObjectId, type Question } from '@docent/sdk'
import { docent, onSignOut } from '../../access/access.ts'
import { explain, isTemporary } from '../../platform/errors.ts'
import { createStore, useStore } from '../../platform/state/store.ts'
import { unawaited } from '../../ui/unawaited.ts'
import { type ChatPath, lookForNews, putMessage, refreshMessages } from '../chats.queries.ts'
import { tellOtherTabs } from '../other-tabs.ts'
import { type Ask, addEvent, addProgress, beginAnswer, isRunning, type LiveAnswer } from './live-answer.ts'

/** The server sends an event at least every 5 s: after this long the connection counts as lost. */
const SILENCE_MS = 8_000
const POLL_MS = 1_000
const MOST_POLL_MS = 8_000

const answers = createStore<ReadonlyMap<string, LiveAnswer>>(new Map())
/** Answers being read, by message id. */
const readings = new Map<string, Reading>()
let sessionEnd = new AbortController()

/** Unfinished answers, by message id. They continue while other pages are open. */
export const useLiveAnswers = (): ReadonlyMap<string, LiveAnswer> => useStore(answers)

/**
 * Asks a question and streams its answer. The id is made here, so that a retry after a lost connection asks only once.
 */
export function ask(path: ChatPath, question: string | Ask): void {
  unawaited(carry(beginAnswer(path, newObjectId(), question), askAndRead))
}

/** Asks a refused question again. */
export function askAgain(answer: LiveAnswer): void {
  unawaited(carry(beginAnswer(answer.path, answer.messageId, answer.asked ?? answer.query), askAndRead))
}

/** Removes a question that the server refused. */
export function forget({ messageId }: LiveAnswer): void {
  answers.set((all) => new Map([...all].filter(([id]) => id !== messageId)))
}

/** Streams a message asked by somebody else, or by this person before a reload. */
export function follow(path: ChatPath, message: Message): void {
  if (isRunning(answers.get().get(message.id))) return
  const answer = addProgress({ ...beginAnswer(path, message.id, message.query), asked: null }, message)
  unawaited(carry(answer, readToEnd))
}

/** Cancels an answer; the text so far stays. @throws DocentError */
export async function stop({ path, messageId }: Pick<LiveAnswer, 'path' | 'messageId'>): Promise<void> {
  await docent().chats.messages.cancel(path.agentId, path.chatId, messageId)
}

/** Checks whether a message still waits for a review. */
export async function recheckReview({ agentId, chatId }: ChatPath, messageId: string): Promise<void> {
  const message = await docent().chats.messages.get(agentId, chatId, messageId)
  readings.get(messageId)?.change((answer) => addProgress(answer, message))
}

/** Access to an answer for its reader. */
interface Reading {
  get(): LiveAnswer
  change(how: (answer: LiveAnswer) => LiveAnswer): void
  signal: AbortSignal
}

/** Runs a reader to the end of its answer, and shows its progress. */
async function carry(first: LiveAnswer, read: (reading: Reading) => Promise<Message>): Promise<void> {
  let answer = first
  let isScheduled = false
  const { signal } = sessionEnd
  const show = () => {
    isScheduled = false
    if (!signal.aborted) answers.set((all) => new Map(all).set(answer.messageId, answer))
  }
  const reading: Reading = {
    get: () => answer,
    // Tokens may arrive faster than the screen refreshes: one update per frame is enough.
    change(how) {
      answer = how(answer)
      if (isScheduled) return
      isScheduled = true
      if (document.visibilityState === 'visible') requestAnimationFrame(show)
      else setTimeout(show, 250)
    },
    signal,
  }
  show()
  readings.set(answer.messageId, reading)
  try {
    const message = await read(reading)
    putMessage(answer.path, message)
    if (answer.asked) {
      tellOtherTabs(answer.path)
      unawaited(lookForNews(answer.path))
    }
    answer = { ...answer, state: 'done' }
  } catch (error) {
    // Somebody deleted the message.
    if (isGone(error) && (!answer.asked || answer.lastEvent >= 0)) return forget(answer)
    answer = { ...answer, state: 'refused', error: explain(error) }
    // The messages that it would have set aside are shown.
    if (answer.asked?.versionOf) unawaited(refreshMessages(answer.path))
  } finally {
    readings.delete(answer.messageId)
  }
  show()
}

const isGone = (error: unknown): boolean => error instanceof DocentError && error.code === 'MESSAGE_NOT_FOUND'

async function askAndRead(reading: Reading): Promise<Message> {
  const { path, messageId, asked, query } = reading.get()
  const question = toQuestion(asked ?? { query }, messageId)
  while (true) {
    const { isAccepted } = await readStream(
      reading,
      (options) => docent().chats.stream(path.agentId, path.chatId, question, options),
      () => tellOtherTabs(path),
    )
    try {
      return await readToEnd(reading)
    } catch (error) {
      // The connection broke before the question arrived: the same id keeps it one question.
      if (isAccepted || !isGone(error)) throw error
    }
  }
}

const toQuestion = ({ query, files = [], shortcut, versionOf, model }: Ask, message_id: string): Question => ({
  query: shortcut ? null : query,
  message_id,
  uploaded_files: files.map(({ id }) => id),
  ...(versionOf && { version_of: versionOf }),
  ...(model && { model }),
  ...(shortcut && { shortcut_id: shortcut.id, shortcut_fields_with_values: shortcut.values }),
})

/**
 * Reads the message, and its events after the last one received, until it is complete: across reviews, which may take
 * days, and however long the server is unreachable.
 */
async function readToEnd(reading: Reading): Promise<Message> {
  const { path, messageId } = reading.get()
  let pauseMs = POLL_MS
  while (true) {
    const message = await readMessage(reading)
    if (message.ai_resolution_status === 'completed') return message
    reading.change((answer) => addProgress(answer, message))
    const before = reading.get().lastEvent
    await readStream(reading, (options) =>
      docent().chats.messages.events(path.agentId, path.chatId, messageId, before, options),
    )
    if (reading.get().lastEvent > before) {
      pauseMs = POLL_MS
      continue
    }
    await pause(pauseMs)
    pauseMs = Math.min(pauseMs * 2, MOST_POLL_MS)
  }
}

/**
 * Reads to the end of the run, or until the connection stays lost after the SDK's retries, which resume a stream after
 * its last event.
 */
async function readStream(
  { change, signal }: Reading,
  open: (options: { signal: AbortSignal }) => AnswerStream,
  onAccepted?: () => void,
): Promise<{ isAccepted: boolean }> {
  let isAccepted = false
  const fallSilent = () => change((answer) => (answer.state === 'waiting' ? answer : { ...answer, state: 'lost' }))
  let timer = setTimeout(fallSilent, SILENCE_MS)
  try {
    for await (const event of open({ signal })) {
      if (!isAccepted) onAccepted?.()
      isAccepted = true
      clearTimeout(timer)
      timer = setTimeout(fallSilent, SILENCE_MS)
      change((answer) => addEvent(answer, event))
    }
  } catch (error) {
    signal.throwIfAborted()
    // The stored message has the outcome of the run.
    if (!isOutcome(error) && !isTemporary(error)) throw error
    fallSilent()
  } finally {
    clearTimeout(timer)
  }
  return { isAccepted }
}

/** Whether the event ends the run. */
export const isOutcome = (error: unknown): boolean =>
  error instanceof DocentError && error.status === 0 && ['AGENT_FAILED', 'CANCELLED'].includes(error.code)

/** Reads the stored message, retrying until the server answers. */
async function readMessage({ get, signal }: Reading): Promise<Message> {
  const { path, messageId } = get()
  const query = { downloadable_output: true }
  for (let pauseMs = POLL_MS; ; pauseMs = Math.min(pauseMs * 2, MOST_POLL_MS)) {
    try {
      return await docent().chats.messages.get(path.agentId, path.chatId, messageId, query, { signal })
    } catch (error) {
      signal.throwIfAborted()
      if (!isTemporary(error)) throw error
    }
    await pause(pauseMs)
  }
}

/** Waits; returns early when the connection is back. */
function pause(ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  addEventListener('online', () => resolve(), { once: true })
  return promise.finally(() => clearTimeout(timer))
}

onSignOut(() => {
  sessionEnd.abort()
  sessionEnd = new AbortController()
  answers.set(new Map())
})
