import { useCallback, useMemo, useRef } from 'react'
import { isVisitor, useMay } from '../../../access/access.ts'
import type { Ask } from '../../answers/live-answer.ts'
import { ask, askAgain, forget } from '../../answers/live-answers.ts'
import { useFollowScroll } from '../../chat/use-follow-scroll.ts'
import type { ChatPath } from '../../chats.queries.ts'
import { askVersion } from '../message-changes.ts'
import { type Turn, toAsk } from '../turns.ts'
import { useNearness } from './nearness.ts'
import { useTurns } from './use-turns.ts'

export type Thread = ReturnType<typeof useThread>

/** Turns of a chat, with what a column that shows them needs. */
export function useThread({ agentId, chatId }: ChatPath) {
  const path = useMemo(() => ({ agentId, chatId }), [agentId, chatId])
  const shown = useTurns(path)
  const { live } = shown
  const mayChoose = useMay('manage_agents')
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const scroll = useFollowScroll(scroller, content)
  const watch = useNearness(scroller)
  const onAskAgain = useCallback(
    (turn: Turn, question?: Ask) => {
      const refused = turn.state === 'refused' ? live.get(turn.id) : undefined
      if (refused && !question) return askAgain(refused)
      if (refused) forget(refused)
      // Visitors see no versions, so the old question stays above.
      const asked = question ?? toAsk(turn)
      // The right to choose a model may be gone since it was asked.
      if (isVisitor()) ask(path, asked)
      else askVersion(path, turn, mayChoose ? asked : { ...asked, model: null })
    },
    [live, path, mayChoose],
  )
  return { ...shown, ...scroll, path, scroller, content, watch, onAskAgain }
}
