/** Question about a run, with the process that asks. */
export interface Question {
  /** `watch`: is it there, and when does it end? `follow`: and what does it show? `leave`: the answer is of no interest now. */
  ask: 'watch' | 'follow' | 'cancel' | 'leave'
  organizationId: string
  messageId: string
  /** The process that asks. */
  from: string
  /** Id of one question and all that belongs to it; it is asked again and again for as long as the answer is of interest. */
  session: string
  /** Sequence number, in `follow`: the newest event that is known. */
  after?: number
  /**
   * Form that `follow` asks for: `events` for JSON, as all processes ask for it; those of earlier versions get text for
   * a socket.
   */
  form?: 'events'
}

/** Reply of a process about a run of its own. */
export interface Reply {
  /**
   * `here`: it is running. `over`: it does not run here, or not any more; what became of it is in the database.
   * `piece`: a part of what it shows, in the body: JSON of an array of events, once its pieces are joined.
   */
  say: 'here' | 'over' | 'piece'
  session: string
  /** Number of a piece. In `piece`: counted from 0 on. In `here`: the number of the next piece. A gap shows that one was lost. */
  number?: number
  /** Sequence number, in the last piece of a batch: the newest event in it. */
  seq?: number
  /** Form of `piece`; absent where it is text for a socket, as processes of earlier versions send it. */
  form?: 'events'
}

/** Channel between the runs of all processes; every signal comes to every process anyway. */
export const RUNS_CHANNEL = 'runs'

/** @param to the process that is meant */
export const encode = (to: string, head: Question | Reply, body = ''): string =>
  `${to} ${JSON.stringify(head)}\n${body}`

/** @returns undefined for what is meant for another process */
export function decode(me: string, payload: string): { head: Question | Reply; body: string } | undefined {
  if (!payload.startsWith(`${me} `)) return undefined
  const end = payload.indexOf('\n')
  return { head: JSON.parse(payload.slice(me.length + 1, end)), body: payload.slice(end + 1) }
}

/** Leaves room for the head in the 7,000 bytes of a signal. */
export const PIECE_BYTES = 6_500
