import { type AnswerStream, DocentError, type Message, newObjectId } from '@docent/sdk'
import { docent, onSignOut } from '../access/session.ts'
import { explain, isAway } from '../platform/errors.ts'
import { createStore, useStore } from '../platform/store.ts'
import { type ChatPath, putMessage } from './chats.queries.ts'
import { addEvent, addProgress, beginAnswer, isUnderWay, type LiveAnswer } from './live-answer.ts'

/** The server lets no more than 5 s pass without an event: after so long the line is in trouble. */
const SILENCE_MS = 8_000
const POLL_MS = 1_000
const MOST_POLL_MS = 8_000

const answers = createStore<ReadonlyMap<string, LiveAnswer>>(new Map())
let sessionEnd = new AbortController()

/** Answers on their way, by message id. They go on while other pages are open. */
export const useLiveAnswers = (): ReadonlyMap<string, LiveAnswer> => useStore(answers)

/** Asks, and reads the answer as it comes. The id is ours, so that asking again after a lost line asks once. */
export function ask(path: ChatPath, query: string): void {
  void carry(beginAnswer(path, newObjectId(), query), askAndRead)
}

/** Asks again what the server did not take. */
export function askAgain(answer: LiveAnswer): void {
  void carry(beginAnswer(answer.path, answer.messageId, answer.query), askAndRead)
}

/** Keeps reading a message that somebody else asked, or this person before the page was loaded. */
export function follow(path: ChatPath, message: Message): void {
  if (isUnderWay(answers.get().get(message.id))) return
  void carry(addProgress(beginAnswer(path, message.id, message.query), message), readAgain)
}

/** Ends an answer early; what was said so far stays. @throws DocentError */
export async function stop({ path, messageId }: LiveAnswer): Promise<void> {
  await docent().chats.messages.cancel(path.agentId, path.chatId, messageId)
}

/** What is known of an answer, and how a reader changes it. */
interface Reading {
  get(): LiveAnswer
  change(how: (answer: LiveAnswer) => LiveAnswer): void
  signal: AbortSignal
}

/** Runs a reader to the end of its answer, and keeps what it tells on the screen. */
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
    // Tokens may come faster than a screen can show them: once a frame is enough.
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
  try {
    const message = await read(reading)
    putMessage(answer.path, message)
    answer = { ...answer, state: 'done' }
  } catch (error) {
    answer = { ...answer, state: 'refused', error: explain(error) }
  }
  show()
}

async function askAndRead(reading: Reading): Promise<Message> {
  const { path, messageId, query } = reading.get()
  const question = { query, message_id: messageId }
  while (true) {
    const { isAccepted } = await readStream(reading, (options) =>
      docent().chats.stream(path.agentId, path.chatId, question, options),
    )
    try {
      return await readUntilComplete(reading)
    } catch (error) {
      // The line broke before the question arrived: the same id makes it one question all the same.
      if (isAccepted || !(error instanceof DocentError) || error.code !== 'MESSAGE_NOT_FOUND') throw error
    }
  }
}

async function readAgain(reading: Reading): Promise<Message> {
  const { path, messageId } = reading.get()
  await readStream(reading, (options) =>
    docent().chats.messages.events(path.agentId, path.chatId, messageId, undefined, options),
  )
  return readUntilComplete(reading)
}

/**
 * Reads to the end of the run, or until the line is gone for longer than the SDK, which takes a stream up again behind
 * its last event, has patience.
 */
async function readStream(
  { change, signal }: Reading,
  open: (options: { signal: AbortSignal }) => AnswerStream,
): Promise<{ isAccepted: boolean }> {
  let isAccepted = false
  const fallSilent = () => change((answer) => ({ ...answer, state: 'following' }))
  let timer = setTimeout(fallSilent, SILENCE_MS)
  try {
    for await (const event of open({ signal })) {
      isAccepted = true
      clearTimeout(timer)
      timer = setTimeout(fallSilent, SILENCE_MS)
      change((answer) => addEvent(answer, event))
    }
  } catch (error) {
    signal.throwIfAborted()
    // How a run ended, well or not, is told by its message.
    if (!isOutcome(error) && !isAway(error)) throw error
    fallSilent()
  } finally {
    clearTimeout(timer)
  }
  return { isAccepted }
}

const isOutcome = (error: unknown): boolean =>
  error instanceof DocentError && error.status === 0 && ['AGENT_FAILED', 'CANCELLED'].includes(error.code)

/** Reads the message again and again until it is complete, however long the server is away. */
async function readUntilComplete({ get, change, signal }: Reading): Promise<Message> {
  const { path, messageId } = get()
  const query = { downloadable_output: true }
  let pauseMs = POLL_MS
  while (true) {
    try {
      const message = await docent().chats.messages.get(path.agentId, path.chatId, messageId, query, { signal })
      if (message.ai_resolution_status === 'completed') return message
      change((answer) => addProgress(answer, message))
      pauseMs = POLL_MS
    } catch (error) {
      signal.throwIfAborted()
      if (!isAway(error)) throw error
      pauseMs = Math.min(pauseMs * 2, MOST_POLL_MS)
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

onSignOut(() => {
  sessionEnd.abort()
  sessionEnd = new AbortController()
  answers.set(new Map())
})
