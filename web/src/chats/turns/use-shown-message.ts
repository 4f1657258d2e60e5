import { useEffect, useRef } from 'react'
import { unawaited } from '../../ui/unawaited.ts'
import { showTurn } from './shown-turn.ts'
import type { Thread } from './thread/use-thread.ts'

/** Scrolls once to the message that the address names, reading earlier questions until it is there. */
export function useShownMessage({ turns, history, stay }: Thread, messageId: string | undefined): void {
  const shown = useRef<string>(undefined)
  const { hasNextPage, isFetching, error, fetchNextPage } = history
  const isHere = turns.some(({ id }) => id === messageId)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `stay` only sets a ref.
  useEffect(() => {
    if (messageId === undefined || shown.current === messageId) return
    if (isHere) {
      shown.current = messageId
      stay()
      showTurn(messageId)
    } else if (hasNextPage && !isFetching && !error) unawaited(fetchNextPage())
  }, [messageId, isHere, hasNextPage, isFetching, error, fetchNextPage])
}
