import type { Operations, StreamEvent } from './types.ts'

export type OperationId = keyof Operations

type Part<O extends OperationId, P extends string> = Operations[O] extends { [K in P]: infer T } ? T : never

/** The JSON body that an operation takes. */
export type Body<O extends OperationId> = Part<O, 'body'>
/** The parameters that an operation takes in its query string. */
export type Query<O extends OperationId> = Part<O, 'query'>
/** The whole JSON answer of an operation; not what it may stream instead. */
export type Reply<O extends OperationId> = Exclude<Part<O, 'reply'>, StreamEvent>
/** The `data` of an operation's response. */
export type Data<O extends OperationId> = Extract<Reply<O>, { data: unknown }>['data']
