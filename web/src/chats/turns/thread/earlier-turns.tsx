import { Trans } from '@lingui/react/macro'
import { type RefObject, useLayoutEffect, useRef } from 'react'
import { Button } from '../../../ui/controls/button.tsx'
import { ReadProblem } from '../../../ui/notices/read-problem.tsx'
import type { Thread } from './use-thread.ts'

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
            history.fetchNextPage()
          }}
        >
          <Trans>Show earlier questions</Trans>
        </Button>
      )}
    </>
  )
}

/**
 * Keeps an element where it is seen while content comes above it. Browsers do so by themselves, except at the very top.
 * @returns sets the element, until the content has come
 */
function useKeptPlace(scroller: RefObject<HTMLElement | null>, content: unknown) {
  const kept = useRef<{ element: Element; top: number }>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place is put right when there is new content.
  useLayoutEffect(() => {
    if (!kept.current) return
    const { element, top } = kept.current
    kept.current = undefined
    scroller.current!.scrollTop += element.getBoundingClientRect().top - top
  }, [content])
  return (element: Element | null) => {
    if (element) kept.current = { element, top: element.getBoundingClientRect().top }
  }
}
