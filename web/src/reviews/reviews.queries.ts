import type { Review, ReviewDecision } from '@docent/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { docent, queryClient, useMe, useWorkspaceId } from '../access/access.ts'

export const REVIEWS_PER_PAGE = 30
const INBOX_EVERY_MS = 4_000
const COUNT_EVERY_MS = 10_000

export type ReviewStatus = Review['status']

/** Reviews, newest first; pending ones are refreshed. @param page from 1 */
export function useReviews(status: ReviewStatus | undefined, page: number) {
  const workspaceId = useWorkspaceId()
  return useQuery({
    queryKey: ['reviews', workspaceId, status, page],
    queryFn: () => docent().reviews.list(workspaceId, { status, page, page_size: REVIEWS_PER_PAGE }),
    placeholderData: keepPreviousData,
    refetchInterval: status === 'pending' ? INBOX_EVERY_MS : false,
  })
}

/** Number of pending reviews; 0 for keys that may not see them. */
export function useWaitingReviews(): number {
  const me = useMe().data
  const workspaceId = me?.workspace.id
  const { data } = useQuery({
    queryKey: ['reviews', workspaceId, 'waiting'],
    queryFn: () => docent().reviews.list(workspaceId!, { status: 'pending', page_size: 1 }),
    // Narrowed keys may be refused, which needs no error message.
    enabled: workspaceId !== undefined && me?.key.scopes === null,
    refetchInterval: COUNT_EVERY_MS,
  })
  return data?.total ?? 0
}

/** @throws DocentError `MESSAGE_NOT_WAITING` if somebody was faster, or the run ended */
export async function decide({ agent_id, chat_id, message_id }: Review, decision: ReviewDecision): Promise<void> {
  try {
    await docent().chats.messages.review(agent_id, chat_id, message_id, decision)
  } finally {
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: ['reviews'] }),
      queryClient.invalidateQueries({ queryKey: ['messages', agent_id, chat_id] }),
    ])
  }
}
