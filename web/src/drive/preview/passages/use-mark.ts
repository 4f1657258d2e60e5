import { type RefObject, useEffect } from 'react'
import type { Target } from '../target.ts'
import { markTarget, unmarkPassage } from './mark-passage.ts'

/** Marks the passage once the text is on the page. */
export function useMark(
  root: RefObject<HTMLElement | null>,
  target: Target | null,
  isReady: boolean,
  onMarked: (isMarked: boolean) => void,
): void {
  useEffect(() => {
    if (!isReady || !target) return
    onMarked(markTarget(root.current!, target))
    return unmarkPassage
  }, [root, target, isReady, onMarked])
}
