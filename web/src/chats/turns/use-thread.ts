import { useCallback, useMemo, useRef } from 'react'
import { isVisitor } from '../../access/access.ts'
import { explain } from '../../platform/errors.ts'
import { toast } from '../../ui/overlays/toasts.tsx'
import type { Ask } from '../answers/live-answer.ts'
import { ask, askAgain, forget } from '../answers/live-answers.ts'
import { useFollowScroll } from '../chat/use-follow-scroll.ts'
import type { ChatPath } from '../chats.queries.ts'
import { askInPlace } from './message-changes.ts'
import { useNearness } from './nearness.ts'
import { type Turn, toAsk } from './turns.ts'
import { useTurns } from './use-turns.ts'

export type Thread = ReturnType<typeof useThread>

/** Turns of a chat, with what a column that shows them needs. */
export function useThread({ agentId, chatId }: ChatPath) {
  const path = useMemo(() => ({ agentId, chatId }), [agentId, chatId])
  const shown = useTurns(path)
  const { live } = shown
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const scroll = useFollowScroll(scroller, content)
  const watch = useNearness(scroller)
  const onAskAgain = useCallback(
    (turn: Turn, question?: Ask) => {
      const refused = turn.state === 'refused' ? live.get(turn.id) : undefined
      if (refused && !question) return askAgain(refused)
      if (refused) forget(refused)
      // Visitors may not delete messages, so the old question stays.
      if (isVisitor()) ask(path, question ?? toAsk(turn))
      else askInPlace(path, turn, question).catch((error) => toast(explain(error), { isError: true }))
    },
    [live, path],
  )
  return { ...shown, ...scroll, path, scroller, content, watch, onAskAgain }
}
