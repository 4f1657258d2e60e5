import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { docent, queryClient } from '../../access/access.ts'
import type { ChatPath } from '../chats.queries.ts'

/** Share of a chat; null where there is none. */
export const useShare = ({ chatId }: ChatPath) =>
  useQuery({
    queryKey: ['chat-shares', chatId],
    queryFn: async () => (await docent().chats.listShared({ chat_id: chatId })).shares[0] ?? null,
  })

/** Chats that the person shares, the newest share first. */
export const useShares = () =>
  useInfiniteQuery({
    queryKey: ['chat-shares'],
    queryFn: ({ pageParam }) => docent().chats.listShared({ page: pageParam }),
    initialPageParam: 1,
    getNextPageParam: (last) => (last.has_more ? last.page + 1 : undefined),
    select: ({ pages }) => pages.flatMap((page) => page.shares),
  })

/** Shares a chat as it is now, or as it is at any time. @throws DocentError */
export async function shareChat({ agentId, chatId }: ChatPath, follows: boolean): Promise<void> {
  await docent().chats.share(agentId, chatId, { follows })
  await queryClient.invalidateQueries({ queryKey: ['chat-shares'] })
}

/** @throws DocentError */
export async function stopSharing(id: string): Promise<void> {
  await docent().chats.unshare(id)
  await queryClient.invalidateQueries({ queryKey: ['chat-shares'] })
}

/** A shared chat, with as many of its messages as were asked for. */
export const useSharedChat = (id: string) =>
  useInfiniteQuery({
    queryKey: ['shared-chat', id],
    queryFn: ({ pageParam }) => docent().chats.readShared(id, { page: pageParam }),
    initialPageParam: 1,
    getNextPageParam: (last) => (last.has_more ? last.page + 1 : undefined),
    // Rights to passages, and the share itself, may be gone at any time.
    gcTime: 0,
  })
