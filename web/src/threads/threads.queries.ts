import type { Message, Thread } from '@docent/sdk'
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { docent } from '../access/access.ts'
import { readSteps } from '../chats/chats.ts'
import type { ThreadSearch } from './thread-search.ts'

export const THREADS_PER_PAGE = 50

/** Default order: latest activity first. */
export const DEFAULT_SORT = 'last_message_at'

type ChatQuery = NonNullable<Parameters<ReturnType<typeof docent>['chats']['list']>[1]>

/** Query of the API for the filters. */
export function toQuery({ q, type, person, status, feedback, from, to, meta, sort, order }: ThreadSearch): ChatQuery {
  const at = meta?.indexOf('=') ?? -1
  return {
    search: q,
    chat_type: type as ChatQuery['chat_type'],
    virtual_user_email: person,
    status: status as ChatQuery['status'],
    feedback: feedback as ChatQuery['feedback'],
    from,
    to,
    sort: (sort ?? DEFAULT_SORT) as ChatQuery['sort'],
    order,
    ...(meta && at > 0 && { metadata: { [meta.slice(0, at).trim()]: meta.slice(at + 1).trim() } }),
  }
}

/** Rights with which a message was answered. @param isEnabled false for those who are not shown them */
export const useMessageRights = ({ id, agent_id, chat_id }: Message, isEnabled: boolean) =>
  useQuery({
    queryKey: ['message-rights', id],
    queryFn: () => docent().chats.messages.rights(agent_id, chat_id, id),
    enabled: isEnabled,
  })

/** Passages that the searches of an answer found, and those that it cites. */
export const useRetrieval = ({ id, agent_id, chat_id, ai_resolution_status }: Message) =>
  useQuery({
    queryKey: ['message-retrieval', id, ai_resolution_status],
    queryFn: ({ signal }) => docent().chats.messages.retrieval(agent_id, chat_id, id, { signal }),
  })

/** Page of an agent's threads. */
export function useThreads(agentId: string, search: ThreadSearch) {
  const { page = 1 } = search
  return useQuery({
    queryKey: ['threads', agentId, search],
    queryFn: () => docent().chats.list(agentId, { ...toQuery(search), page, page_size: THREADS_PER_PAGE }),
    placeholderData: keepPreviousData,
  })
}

/** Every matching thread, page by page. @param onPage called with how many were read, of how many */
export async function* allThreads(
  agentId: string,
  search: ThreadSearch,
  signal: AbortSignal,
  onPage: (done: number, total: number) => void,
): AsyncGenerator<Thread[]> {
  let done = 0
  for (let page = 1; ; page++) {
    const { chats, total, has_more } = await docent().chats.list(
      agentId,
      { ...toQuery(search), page, page_size: 100 },
      { signal },
    )
    done += chats.length
    onPage(done, total)
    yield chats
    if (!has_more) return
  }
}

/** Messages of a thread with their usage, oldest first. */
export const useThreadMessages = (agentId: string, chatId: string) =>
  useInfiniteQuery(
    infiniteQueryOptions({
      queryKey: ['messages', agentId, chatId, 'thread'],
      queryFn: ({ pageParam }) =>
        docent().chats.messages.list(agentId, chatId, { page: pageParam, page_size: 50, usage: true }),
      initialPageParam: 1,
      getNextPageParam: (last) => (last.has_more ? last.page + 1 : undefined),
      select: ({ pages }) => pages.flatMap((page) => page.messages),
    }),
  )

/** Steps of a run, from the log of its events. */
export const useSteps = (agentId: string, chatId: string, messageId: string) =>
  useQuery({
    queryKey: ['steps', messageId],
    queryFn: ({ signal }) => readSteps({ agentId, chatId }, messageId, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
