import type { ChangeChats } from '@docent/sdk'
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { docent, queryClient } from '../../access/access.ts'

const nextPage = (last: { has_more: boolean; page: number }) => (last.has_more ? last.page + 1 : undefined)

const ownChats = (archived: boolean, search: string) =>
  infiniteQueryOptions({
    queryKey: ['own-chats', archived, search],
    queryFn: ({ pageParam }) =>
      docent().chats.listOwn({ page: pageParam, archived, chat_type: 'interact', search: search || undefined }),
    initialPageParam: 1,
    getNextPageParam: nextPage,
    select: ({ pages }) => pages.flatMap((page) => page.chats),
  })

/** Own chats with all agents, the last used first. */
export const useOwnChats = (archived: boolean, search: string) =>
  useInfiniteQuery({ ...ownChats(archived, search), placeholderData: keepPreviousData })

/** Pinned answers of all own chats, newest first. */
export const usePinnedMessages = () =>
  useInfiniteQuery({
    queryKey: ['pinned-messages'],
    queryFn: ({ pageParam }) => docent().chats.messages.listPinned({ page: pageParam }),
    initialPageParam: 1,
    getNextPageParam: nextPage,
    select: ({ pages }) => pages.flatMap((page) => page.messages),
  })

const MOST_AT_ONCE = 100

/** Does the same with any number of chats. @throws DocentError */
export async function changeChats(ids: string[], action: ChangeChats['action']): Promise<void> {
  try {
    for (let start = 0; start < ids.length; start += MOST_AT_ONCE)
      await docent().chats.changeMany(ids.slice(start, start + MOST_AT_ONCE), action)
  } finally {
    await Promise.all(
      ['own-chats', 'pinned-messages', 'chats', 'chat', 'project-chats'].map((key) =>
        queryClient.invalidateQueries({ queryKey: [key] }),
      ),
    )
  }
}
