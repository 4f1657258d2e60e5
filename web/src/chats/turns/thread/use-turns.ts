import { useCallback, useEffect, useMemo, useState } from 'react'
import { isOnItsWay } from '../../answers/live-answer.ts'
import { follow, useLiveAnswers } from '../../answers/live-answers.ts'
import { type ChatPath, useMessages, useNewsOfOthers } from '../../chats.queries.ts'
import { mergeTurns } from '../turns.ts'

/** Turns of a chat, stored and live, and the open source. @param path keeps its identity while the chat is the same */
export function useTurns(path: ChatPath) {
  const history = useMessages(path)
  const { data: messages } = history
  const live = useLiveAnswers()
  const [opened, setOpened] = useState<{ messageId: string; index: number } | null>(null)
  const answers = useMemo(
    () => [...live.values()].filter((answer) => answer.path.chatId === path.chatId),
    [live, path.chatId],
  )
  useNewsOfOthers(path, answers.some(isOnItsWay))
  const turns = useMemo(() => mergeTurns(messages ?? [], answers), [messages, answers])
  // Runs that are still active on the server, but were not asked from this page, are read to their end.
  useEffect(() => {
    for (const message of messages ?? []) if (message.ai_resolution_status !== 'completed') follow(path, message)
  }, [messages, path])
  const openedTurn = turns.find(({ id }) => id === opened?.messageId)
  return {
    history,
    live,
    answers,
    turns,
    answer: openedTurn?.response,
    source: openedTurn?.citations.find(({ index }) => index === opened?.index),
    openSource: useCallback((messageId: string, index: number) => setOpened({ messageId, index }), []),
    closeSource: () => setOpened(null),
  }
}
