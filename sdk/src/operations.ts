import type { Operations, Routes, StreamEvent } from './types.ts'

export type OperationId = keyof Operations

/** Method and path of an operation, as `openapi.json` has them: `GET /agents/{agent_id}`. */
export type Route = keyof Routes
/** The ids that stand in the path of a route, in order. */
export type Ids<R extends Route> = Routes[R]['ids']
export type OperationOf<R extends Route> = Routes[R]['operation']

type Part<O extends OperationId, P extends string> = Operations[O] extends { [K in P]: infer T } ? T : never

/** The JSON body that an operation takes. */
export type Body<O extends OperationId> = Part<O, 'body'>
/** The parameters that an operation takes in its query string. */
export type Query<O extends OperationId> = Part<O, 'query'>
/** The whole JSON answer of an operation; not what it may stream instead. */
export type Reply<O extends OperationId> = Exclude<Part<O, 'reply'>, StreamEvent>
/** The `data` of an operation's response. */
export type Data<O extends OperationId> = Extract<Reply<O>, { data: unknown }>['data']
