import { Trans } from '@lingui/react/macro'
import { type RefObject, useLayoutEffect, useRef } from 'react'
import { Button } from '../../../ui/controls/button.tsx'
import { ReadProblem } from '../../../ui/notices/read-problem.tsx'
import { unawaited } from '../../../ui/unawaited.ts'
import type { Thread } from './use-thread.ts'

/** Events by which a reader moves on. */
const MOVES = ['wheel', 'touchstart', 'pointerdown', 'keydown']

/** Top of a chat: the error if its history could not be read, and a button that loads earlier questions. */
export function EarlierTurns({ history, scroller }: Pick<Thread, 'history' | 'scroller'>) {
  const keepPlace = useKeptPlace(scroller, history.data)
  return (
    <>
      {history.error && <ReadProblem error={history.error} onRetry={history.refetch} />}
      {history.hasNextPage && (
        <Button
          isBusy={history.isFetchingNextPage}
          onClick={({ currentTarget }) => {
            keepPlace(currentTarget.nextElementSibling)
            unawaited(history.fetchNextPage())
          }}
        >
          <Trans>Show earlier questions</Trans>
        </Button>
      )}
    </>
  )
}

/**
 * Keeps an element where it is seen while content comes above it and finds its height, until the reader moves on.
 * @returns sets the element, before the content comes
 */
function useKeptPlace(scroller: RefObject<HTMLElement | null>, content: unknown) {
  const kept = useRef<{ element: Element; top: number }>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place is put right once there is new content.
  useLayoutEffect(() => {
    if (!kept.current) return undefined
    const { element, top } = kept.current
    kept.current = undefined
    const putRight = () => {
      scroller.current!.scrollTop += element.getBoundingClientRect().top - top
    }
    putRight()
    const observer = new ResizeObserver(putRight)
    observer.observe(element.parentElement!)
    const moves = new AbortController()
    const stop = () => {
      observer.disconnect()
      moves.abort()
    }
    for (const move of MOVES) addEventListener(move, stop, { passive: true, signal: moves.signal })
    return stop
  }, [content])
  return (element: Element | null) => {
    if (element) kept.current = { element, top: element.getBoundingClientRect().top }
  }
}
