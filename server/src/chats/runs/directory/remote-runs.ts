import type { KernelParts } from '../../../kernel-parts.ts'
import type { Membership } from '../../../platform/cluster/membership/membership.ts'
import { EventBatch } from '../../events/event-batch.ts'
import { decode, encode, type Question, type Reply, RUNS_CHANNEL } from './run-talk.ts'

/** A message that another process runs. */
export interface RemoteRun {
  processId: string
  organizationId: string
  messageId: string
}

/**
 * Reason that no more events of a run will come: it no longer runs there, something was lost on the way, the process
 * does not answer, or the caller left. Its outcome is in the database.
 */
export type Outcome = 'over' | 'gap' | 'silence' | 'left'

/** Asked again after this time, to show that the answer is still of interest, and to see whether something was lost. */
const RENEWED_EVERY_MS = 1_000
const SILENCE_MS = 4_000

export interface RemoteRunsOptions extends Pick<KernelParts, 'newId' | 'pubsub'> {
  membership: Pick<Membership, 'id'>
}

type Asked = Pick<Question, 'ask' | 'after' | 'form'>

/** Runs of other processes, through `run-relay.ts` over there. */
export class RemoteRuns {
  readonly #options: RemoteRunsOptions
  readonly #sessions = new Map<string, (reply: Reply, body: string) => void>()
  readonly #unsubscribe: () => void

  constructor(options: RemoteRunsOptions) {
    this.#options = options
    const { pubsub, membership } = options
    this.#unsubscribe = pubsub.subscribe(RUNS_CHANNEL, (payload) => {
      const said = decode(membership.id, payload)
      if (said && 'say' in said.head) this.#sessions.get(said.head.session)?.(said.head, said.body)
    })
  }

  /** Waits for its end. */
  watch(run: RemoteRun, signal: AbortSignal): Promise<Outcome> {
    return this.#converse(run, { ask: 'watch' }, () => undefined, signal)
  }

  /** Makes it end early, and waits for that. */
  cancel(run: RemoteRun, signal: AbortSignal): Promise<Outcome> {
    return this.#converse(run, { ask: 'cancel' }, () => undefined, signal)
  }

  /**
   * Hands over all that it shows after an event, but its end.
   * @param write takes the events, and the number of the newest of them
   */
  follow(
    run: RemoteRun,
    after: number,
    write: (batch: EventBatch, seq: number) => void,
    signal: AbortSignal,
  ): Promise<Outcome> {
    let expected = 0
    let json = ''
    const hear = ({ say, number, seq, form }: Reply, body: string): Outcome | undefined => {
      if (number !== expected) return 'gap'
      if (say !== 'piece') return undefined
      // A process of an earlier version sends text for a socket: the database has the same, a little later.
      if (form !== 'events') return 'silence'
      expected++
      json += body
      if (seq === undefined) return undefined
      write(new EventBatch(JSON.parse(json)), seq)
      json = ''
      return undefined
    }
    return this.#converse(run, { ask: 'follow', after, form: 'events' }, hear, signal)
  }

  close(): void {
    this.#unsubscribe()
  }

  #converse(
    run: RemoteRun,
    question: Asked,
    hear: (reply: Reply, body: string) => Outcome | undefined,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { organizationId, messageId, processId } = run
    const { pubsub, newId, membership } = this.#options
    const session = newId()
    const ask = (asked: Asked) =>
      pubsub.publish(
        RUNS_CHANNEL,
        encode(processId, { ...asked, organizationId, messageId, from: membership.id, session }),
      )
    return new Promise((resolve) => {
      if (signal.aborted) return resolve('left')
      let heardAt = performance.now()
      const end = (outcome: Outcome) => {
        clearInterval(timer)
        signal.removeEventListener('abort', leave)
        this.#sessions.delete(session)
        if (outcome !== 'over') ask({ ask: 'leave' })
        resolve(outcome)
      }
      const timer = setInterval(() => {
        if (performance.now() - heardAt > SILENCE_MS) end('silence')
        else ask(question)
      }, RENEWED_EVERY_MS)
      const leave = () => end('left')
      signal.addEventListener('abort', leave, { once: true })
      this.#sessions.set(session, (reply, body) => {
        heardAt = performance.now()
        const outcome = reply.say === 'over' ? 'over' : hear(reply, body)
        if (outcome) end(outcome)
      })
      ask(question)
    })
  }
}
