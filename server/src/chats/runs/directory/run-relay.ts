import type { Membership } from '../../../platform/cluster/membership/membership.ts'
import type { PubSub } from '../../../platform/cluster/pubsub/pubsub.ts'
import { EventBatch } from '../../events/event-batch.ts'
import type { StreamEvent } from '../../events/events.schemas.ts'
import type { Run } from '../run.ts'
import { lastSeqOf } from '../run-log.ts'
import type { RunRegistry } from '../run-registry.ts'
import { CancelledError } from '../runs.errors.ts'
import { inPieces } from './run-pieces.ts'
import { decode, encode, type Question, type Reply, RUNS_CHANNEL } from './run-talk.ts'

/** Interval at which events of a run go out together. */
const BATCH_MS = 40
/** Time after which an asker that was not heard of again is gone. */
const FORGOTTEN_AFTER_MS = 10_000

interface Session {
  heardAt: number
  /** Undefined for one that only waits for the end. */
  follower: RelayedRun | undefined
}

type Say = (to: Question, reply: Reply, body?: string) => void

export interface RunRelayOptions {
  registry: Pick<RunRegistry, 'find'>
  pubsub: PubSub
  membership: Pick<Membership, 'id'>
}

/**
 * Tells other processes of the runs of this one what they ask for: what a run shows, its end; and ends a run for them.
 * Says nothing unasked.
 */
export class RunRelay {
  readonly #options: RunRelayOptions
  readonly #sessions = new Map<string, Session>()
  readonly #unsubscribe: () => void
  #sweep: NodeJS.Timeout | undefined

  constructor(options: RunRelayOptions) {
    this.#options = options
    const { pubsub, membership } = options
    this.#unsubscribe = pubsub.subscribe(RUNS_CHANNEL, (payload) => {
      const said = decode(membership.id, payload)
      if (said && 'ask' in said.head) this.#hear(said.head)
    })
  }

  close(): void {
    this.#unsubscribe()
    clearInterval(this.#sweep)
    for (const name of this.#sessions.keys()) this.#end(name)
  }

  #hear(question: Question): void {
    const { session: name, ask } = question
    if (ask === 'leave') {
      this.#end(name)
      return
    }
    const run = this.#options.registry.find(question.organizationId, question.messageId)
    if (!run || run.isFinished) {
      this.#say(question, { say: 'over', session: name })
      return
    }
    if (ask === 'cancel') run.cancel(new CancelledError())
    const session = this.#sessions.get(name) ?? this.#open(question, run)
    session.heardAt = performance.now()
    this.#say(question, { say: 'here', session: name, number: session.follower?.nextNumber ?? 0 })
  }

  #open(question: Question, run: Run): Session {
    const { session: name, ask } = question
    const follower = ask === 'follow' ? new RelayedRun(run, question, this.#say) : undefined
    const session = { heardAt: 0, follower }
    this.#sessions.set(name, session)
    this.#sweep ??= setInterval(() => this.#forgetSilent(), FORGOTTEN_AFTER_MS)
    const tellEnd = () => {
      if (!this.#sessions.has(name)) return
      this.#end(name)
      this.#say(question, { say: 'over', session: name })
    }
    // It never rejects.
    run.done.then(tellEnd, tellEnd)
    return session
  }

  readonly #say: Say = (to, reply, body) => this.#options.pubsub.publish(RUNS_CHANNEL, encode(to.from, reply, body))

  #end(name: string): void {
    this.#sessions.get(name)?.follower?.stop()
    this.#sessions.delete(name)
  }

  #forgetSilent(): void {
    const now = performance.now()
    for (const [name, { heardAt }] of this.#sessions) if (now - heardAt > FORGOTTEN_AFTER_MS) this.#end(name)
    if (this.#sessions.size > 0) return
    clearInterval(this.#sweep)
    this.#sweep = undefined
  }
}

/** A run whose events another process follows, sent in batches. Its end comes from the database, not by this. */
class RelayedRun {
  readonly #run: Run
  readonly #question: Question
  readonly #say: Say
  readonly #stopReading: () => void
  /** Number that the next piece will have. */
  nextNumber = 0
  #unsent: StreamEvent[] = []
  #seq: number
  #isReplay = true
  #timer: NodeJS.Timeout | undefined

  constructor(run: Run, question: Question, say: Say) {
    const { after = -1 } = question
    this.#run = run
    this.#question = question
    this.#say = say
    this.#seq = Math.max(after, lastSeqOf(run.log))
    this.#stopReading = run.read({ write: ({ events }) => this.#add(events), end() {}, pause() {} }, after)
    this.#isReplay = false
  }

  stop(): void {
    this.#stopReading()
    clearTimeout(this.#timer)
  }

  #add(events: readonly StreamEvent[]): void {
    if (this.#run.isFinished) return
    this.#unsent = this.#unsent.concat(events)
    if (!this.#isReplay) this.#seq = this.#run.lastSeq
    this.#timer ??= setTimeout(() => this.#send(), this.#isReplay ? 0 : BATCH_MS)
  }

  #send(): void {
    const { session, form } = this.#question
    this.#timer = undefined
    const pieces = inPieces(form === 'events' ? JSON.stringify(this.#unsent) : new EventBatch(this.#unsent).sse)
    this.#unsent = []
    pieces.forEach((piece, index) => {
      const isLast = index === pieces.length - 1
      const number = this.nextNumber++
      this.#say(this.#question, { say: 'piece', session, form, number, ...(isLast && { seq: this.#seq }) }, piece)
    })
  }
}
