import { findStuckMessages, requeueStuckMessages } from '../../chats/chats.ts'
import type { AdminContext } from '../context.ts'
import type { ExamineOptions } from './doctor.ts'

/** Messages in progress that nobody answers any more; with `fix`, the server takes them up again. */
export async function examineMessages({ db, writes, queue }: AdminContext, { fix, organizationId }: ExamineOptions) {
  const all = await findStuckMessages(db, queue)
  const stuck = all.filter((message) => !organizationId || message.organizationId === organizationId)
  if (fix) await requeueStuckMessages(writes, queue, stuck)
  return { stuck_messages: stuck.length }
}
