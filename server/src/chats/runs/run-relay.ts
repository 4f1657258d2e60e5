import type { Processes } from '../../platform/processes/processes.ts'
import type { Signals } from '../../platform/signals/signals.ts'
import { EventBatch } from '../events/event-batch.ts'
import type { StreamEvent } from '../events/events.schemas.ts'
import type { Run } from './run.ts'
import { lastSeqOf } from './run-log.ts'
import type { RunRegistry } from './run-registry.ts'
import { decode, encode, inPieces, type Question, type Reply, RUNS_CHANNEL } from './run-talk.ts'
import { CancelledError } from './runs.errors.ts'

/** What a run shows goes out together after so long. */
const BATCH_MS = 40
/** Whoever asked and was not heard of again for so long is gone. */
const FORGOTTEN_AFTER_MS = 10_000

interface Session {
  heardAt: number
  /** What its next piece will have; 0 for one that only waits for the end. */
  next(): number
  stop(): void
}

export interface RunRelayOptions {
  registry: Pick<RunRegistry, 'find'>
  signals: Signals
  processes: Pick<Processes, 'id'>
}

/**
 * Tells other processes of the runs of this one what they ask for: what a run shows, its end; and ends a run for them.
 * Says nothing unasked.
 */
export function createRunRelay({ registry, signals, processes }: RunRelayOptions): { close(): void } {
  const sessions = new Map<string, Session>()
  let sweep: NodeJS.Timeout | undefined

  const unsubscribe = signals.subscribe(RUNS_CHANNEL, (payload) => {
    const said = decode(processes.id, payload)
    if (said && 'ask' in said.head) hear(said.head)
  })

  function hear(question: Question): void {
    const { session: name, ask } = question
    if (ask === 'leave') {
      end(name)
      return
    }
    const run = registry.find(question.organizationId, question.messageId)
    if (!run || run.isFinished) {
      say(question, { say: 'over', session: name })
      return
    }
    if (ask === 'cancel') run.cancel(new CancelledError())
    let session = sessions.get(name)
    if (!session) {
      session = open(question, run)
      sessions.set(name, session)
      sweep ??= setInterval(forgetSilent, FORGOTTEN_AFTER_MS)
    }
    session.heardAt = performance.now()
    say(question, { say: 'here', session: name, number: session.next() })
  }

  function open(question: Question, run: Run): Session {
    const { session: name } = question
    const stopFollowing = question.ask === 'follow' ? follow(question, run) : undefined
    const tellEnd = () => {
      if (!sessions.has(name)) return
      end(name)
      say(question, { say: 'over', session: name })
    }
    // It never rejects.
    run.done.then(tellEnd, tellEnd)
    return { heardAt: 0, next: stopFollowing?.next ?? (() => 0), stop: stopFollowing?.stop ?? (() => {}) }
  }

  /** Sends what the run showed, and what it shows, in batches. Its end is told from the database, not by this. */
  function follow(question: Question, run: Run) {
    const { session, form, after = -1 } = question
    let number = 0
    let unsent: StreamEvent[] = []
    let seq = Math.max(after, lastSeqOf(run.log))
    let isReplay = true
    let timer: NodeJS.Timeout | undefined
    const send = () => {
      timer = undefined
      const pieces = inPieces(form === 'events' ? JSON.stringify(unsent) : new EventBatch(unsent).sse)
      unsent = []
      pieces.forEach((piece, index) => {
        const isLast = index === pieces.length - 1
        say(question, { say: 'piece', session, form, number: number++, ...(isLast && { seq }) }, piece)
      })
    }
    const stopReading = run.read(
      {
        write({ events }) {
          if (run.isFinished) return
          unsent = unsent.concat(events)
          if (!isReplay) seq = run.lastSeq
          timer ??= setTimeout(send, isReplay ? 0 : BATCH_MS)
        },
        end() {},
        pause() {},
      },
      after,
    )
    isReplay = false
    return {
      next: () => number,
      stop() {
        stopReading()
        clearTimeout(timer)
      },
    }
  }

  const say = (to: Question, reply: Reply, body?: string) => signals.publish(RUNS_CHANNEL, encode(to.from, reply, body))

  function end(name: string): void {
    sessions.get(name)?.stop()
    sessions.delete(name)
  }

  function forgetSilent(): void {
    const now = performance.now()
    for (const [name, { heardAt }] of sessions) if (now - heardAt > FORGOTTEN_AFTER_MS) end(name)
    if (sessions.size > 0) return
    clearInterval(sweep)
    sweep = undefined
  }

  return {
    close() {
      unsubscribe()
      clearInterval(sweep)
      for (const name of sessions.keys()) end(name)
    },
  }
}
