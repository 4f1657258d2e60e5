import { type Delivery, type ModelCall, queryOf } from './outside.ts'

/** A query that was answered with 200, in the order of its chat. */
export interface Accepted {
  messageId: string
  chat: number
  number: number
}

export interface Verdict {
  accepted: number
  delivered: number
  /** Accepted, and never delivered. */
  lost: number
  /** Delivered under two ids: receivers cannot tell that it is the same. */
  doubled: number
  /** The same delivery twice, which is allowed. */
  deliveredAgain: number
  /** Delivered as failed, or with another answer than its own. */
  wrong: number
  /** Asked of the model before an earlier one of its chat had its answer. */
  outOfOrder: number
  /** Answered without the answer before it in what the model got. */
  forgetful: number
}

/** Comparison of what the model and the receiver saw with what was accepted. */
export function judge(accepted: Accepted[], calls: ModelCall[], deliveries: Delivery[]): Verdict {
  const ofMessage = Map.groupBy(deliveries, ({ messageId }) => messageId)
  const idsOf = (messageId: string) => new Set((ofMessage.get(messageId) ?? []).map(({ webhookId }) => webhookId)).size
  const isRight = ({ messageId, chat, number }: Accepted) =>
    (ofMessage.get(messageId) ?? []).every(
      ({ status, response }) => status === 'success' && response === `chat ${chat} answer ${number}`,
    )
  const firstCall = new Map<string, number>()
  const lastCall = new Map<string, number>()
  for (const [index, { query }] of calls.entries()) {
    if (!firstCall.has(query)) firstCall.set(query, index)
    lastCall.set(query, index)
  }
  let outOfOrder = 0
  let forgetful = 0
  for (const ofChat of Map.groupBy(accepted, ({ chat }) => chat).values()) {
    let latest = -1
    for (const [index, { chat, number }] of ofChat.entries()) {
      const query = queryOf(chat, number)
      if ((firstCall.get(query) ?? Number.POSITIVE_INFINITY) < latest) outOfOrder++
      const before = ofChat[index - 1]
      const history = calls[lastCall.get(query) ?? -1]?.history ?? []
      if (before && !history.includes(`chat ${chat} answer ${before.number}`)) forgetful++
      latest = Math.max(latest, lastCall.get(query) ?? -1)
    }
  }
  const delivered = accepted.filter(({ messageId }) => ofMessage.has(messageId))
  return {
    accepted: accepted.length,
    delivered: delivered.length,
    lost: accepted.length - delivered.length,
    doubled: accepted.filter(({ messageId }) => idsOf(messageId) > 1).length,
    deliveredAgain: deliveries.length - new Set(deliveries.map(({ webhookId }) => webhookId)).size,
    wrong: delivered.filter((message) => !isRight(message)).length,
    outOfOrder,
    forgetful,
  }
}
