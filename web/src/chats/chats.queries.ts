import type { ChatType, Message, NewChat } from '@docent/sdk'
import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query'
import { useEffect } from 'react'
import { docent, queryClient } from '../access/access.ts'
import { unawaited } from '../ui/unawaited.ts'
import type { ChatPath } from './chat-path.ts'
import { onToldByOtherTab, tellOtherTabs } from './other-tabs.ts'

export type { ChatPath }

/** Chats of people with agents; chats of programs and visitors are among the threads of an agent. */
const chat_type = 'interact'

const chatsQuery = (agentId: string, search = '') =>
  infiniteQueryOptions({
    queryKey: ['chats', agentId, search],
    queryFn: ({ pageParam }) =>
      docent().chats.list(agentId, {
        page: pageParam,
        chat_type,
        scope: 'own',
        sort: 'is_pinned',
        // A search finds archived ones, too.
        ...(search ? { search } : { archived: false }),
      }),
    initialPageParam: 1,
    getNextPageParam: (last) => (last.has_more ? last.page + 1 : undefined),
    select: ({ pages }) => pages.flatMap((page) => page.chats),
  })

/** Read newest first; shown oldest first. */
const messagesQuery = ({ agentId, chatId }: ChatPath) =>
  infiniteQueryOptions({
    queryKey: ['messages', agentId, chatId],
    queryFn: ({ pageParam }) => docent().chats.messages.list(agentId, chatId, { page: pageParam, order: 'desc' }),
    initialPageParam: 1,
    getNextPageParam: (last) => (last.has_more ? last.page + 1 : undefined),
    select: oldestFirst,
  })

/** Removes messages that appear twice because they moved to the next page while pages were read. */
function oldestFirst({ pages }: InfiniteData<{ messages: Message[] }>): Message[] {
  const byId = new Map(pages.flatMap((page) => page.messages).map((message) => [message.id, message]))
  return [...byId.values()].reverse()
}

/** Chats of an agent: pinned ones first, then the newest. @param search part of the title */
export const useChats = (agentId: string, search = '', isEnabled = true) =>
  useInfiniteQuery({ ...chatsQuery(agentId, search), placeholderData: keepPreviousData, enabled: isEnabled })

/** Shortcuts of an agent. */
export const useShortcuts = (agentId: string, isEnabled = true) =>
  useQuery({
    enabled: isEnabled,
    queryKey: ['shortcuts', agentId, 'all'],
    queryFn: async () => (await docent().agents.shortcuts.list(agentId, { page_size: 100 })).shortcuts,
  })

const chatQuery = ({ agentId, chatId }: ChatPath) =>
  queryOptions({ queryKey: ['chat', agentId, chatId], queryFn: () => docent().chats.get(agentId, chatId) })

export const useChat = (path: ChatPath, isEnabled = true) => useQuery({ ...chatQuery(path), enabled: isEnabled })

export const useMessages = (path: ChatPath) => useInfiniteQuery(messagesQuery(path))

export async function createChat(
  agentId: string,
  title: string,
  { chatType = chat_type, projectId = null }: { chatType?: ChatType; projectId?: string | null } = {},
): Promise<NewChat> {
  const chat = await docent().chats.create(agentId, { title, chat_type: chatType, project_id: projectId })
  const path = { agentId, chatId: chat.id }
  const nothing = { messages: [], total: 0, page: 1, page_size: 50, count: 0, has_more: false }
  queryClient.setQueryData(messagesQuery(path).queryKey, { pages: [nothing], pageParams: [1] })
  queryClient.setQueryData(chatQuery(path).queryKey, {
    ...chat,
    metadata: {},
    project_id: projectId,
    is_archived: false,
    is_pinned: false,
  })
  unawaited(refreshChats(agentId))
  if (projectId !== null) unawaited(queryClient.invalidateQueries({ queryKey: ['project-chats', projectId] }))
  return chat
}

export async function renameChat(path: ChatPath, title: string): Promise<void> {
  const chat = await docent().chats.update(path.agentId, path.chatId, { title })
  queryClient.setQueryData(chatQuery(path).queryKey, chat)
  tellOtherTabs(path)
  await refreshChats(path.agentId)
}

/** Archives or pins a chat, or takes that back. */
export async function putAway(path: ChatPath, change: { is_archived?: boolean; is_pinned?: boolean }): Promise<void> {
  const chat = await docent().chats.update(path.agentId, path.chatId, change)
  queryClient.setQueryData(chatQuery(path).queryKey, chat)
  tellOtherTabs(path)
  await refreshLists(path.agentId)
}

/** Reads all lists again that chats of an agent may stand in. */
async function refreshLists(agentId: string): Promise<void> {
  await Promise.all([
    refreshChats(agentId),
    ...['own-chats', 'pinned-messages', 'project-chats'].map((key) =>
      queryClient.invalidateQueries({ queryKey: [key] }),
    ),
  ])
}

export async function deleteChat(path: ChatPath): Promise<void> {
  await docent().chats.delete(path.agentId, path.chatId)
  queryClient.removeQueries({ queryKey: messagesQuery(path).queryKey })
  tellOtherTabs(path)
  await refreshLists(path.agentId)
}

onToldByOtherTab((path) => {
  const read = [
    queryClient.invalidateQueries({ queryKey: chatQuery(path).queryKey }),
    refreshMessages(path),
    refreshLists(path.agentId),
  ]
  // A query that fails shows its own error.
  unawaited(Promise.allSettled(read))
})

export const refreshChats = (agentId: string) => queryClient.invalidateQueries({ queryKey: ['chats', agentId] })

/** Removes a deleted message from the cached pages of its chat. */
export function forgetMessage(path: ChatPath, id: string): void {
  queryClient.setQueryData(messagesQuery(path).queryKey, (data) => {
    if (!data) return data
    const without = (messages: Message[]) => messages.filter((one) => one.id !== id)
    const pages = data.pages.map((page) => ({ ...page, total: page.total - 1, messages: without(page.messages) }))
    return { ...data, pages }
  })
}

/** Takes a message and all later ones out of the cached pages of its chat: another version of it is being answered. */
export function setAside(path: ChatPath, id: string): void {
  queryClient.setQueryData(messagesQuery(path).queryKey, (data) => {
    const shown = data?.pages.flatMap((page) => page.messages) ?? []
    const later = new Set(shown.slice(0, shown.findIndex((one) => one.id === id) + 1).map((one) => one.id))
    const without = (messages: Message[]) => messages.filter((one) => !later.has(one.id))
    return data && { ...data, pages: data.pages.map((page) => ({ ...page, messages: without(page.messages) })) }
  })
}

/** Reads the messages of a chat again. */
export const refreshMessages = ({ agentId, chatId }: ChatPath): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: ['messages', agentId, chatId] })

/** Milliseconds between two looks for messages of others, while the page is seen. */
const LOOK_MS = 15_000

const countQuery = ({ agentId, chatId }: ChatPath) =>
  queryOptions({
    queryKey: ['message-count', agentId, chatId],
    queryFn: async () => (await docent().chats.messages.list(agentId, chatId, { page_size: 1 })).total,
    refetchInterval: LOOK_MS,
  })

/** Reads the messages again once somebody asks elsewhere: in another browser, or over the API. @param isPaused while questions of this page are on their way */
export function useNewsOfOthers(path: ChatPath, isPaused: boolean): void {
  const { data: count, dataUpdatedAt } = useQuery(countQuery(path))
  // biome-ignore lint/correctness/useExhaustiveDependencies: each look is compared once, with what is known by then.
  useEffect(() => {
    const known = queryClient.getQueryData(messagesQuery(path).queryKey)?.pages[0]?.total
    const isNews = count !== undefined && known !== undefined && count !== known
    if (isNews && !isPaused) unawaited(refreshMessages(path))
  }, [dataUpdatedAt])
}

/** Looks for messages of others now. */
export const lookForNews = (path: ChatPath): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: countQuery(path).queryKey })

/** Shows the newest branch of a chat that has this message. @throws DocentError */
export async function showBranch(path: ChatPath, messageId: string): Promise<void> {
  await docent().chats.update(path.agentId, path.chatId, { shown_message_id: messageId })
  await refreshMessages(path)
}

const messageQuery = ({ agentId, chatId }: ChatPath, id: string) =>
  queryOptions({
    queryKey: ['messages', agentId, chatId, id],
    queryFn: () => docent().chats.messages.get(agentId, chatId, id, { usage: true }),
  })

/** A message of any branch, with what it took. */
export const useMessage = (path: ChatPath, id: string) => useQuery(messageQuery(path, id))

/** Replaces a message in the cached pages of its chat, or adds it. */
export function putMessage(path: ChatPath, message: Message): void {
  queryClient.setQueryData(messagesQuery(path).queryKey, (data) => {
    if (!data) return data
    const isKnown = data.pages.some((page) => page.messages.some(({ id }) => id === message.id))
    const pages = data.pages.map((page, index) => ({
      ...page,
      total: page.total + (isKnown ? 0 : 1),
      messages: isKnown
        ? page.messages.map((other) => (other.id === message.id ? message : other))
        : index === 0
          ? [message, ...page.messages]
          : page.messages,
    }))
    return { ...data, pages }
  })
}
