import { type RefObject, useEffect, useRef, useState } from 'react'

/** So near to the end counts as at the end, in pixels. */
const NEAR = 80
/** Room above a question that was scrolled to. */
const ABOVE = 24

/**
 * Scrolls along while an answer grows: so far that its question is at the top, so that it can be read from its start;
 * or to the very end once the reader went there. A reader who scrolls elsewhere is left in peace.
 * @param content its last child is the newest question with its answer.
 */
export function useFollowScroll(scroller: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>) {
  const follows = useRef<'question' | 'end' | 'nothing'>('question')
  const scrolledTo = useRef(0)
  const [isAway, setAway] = useState(false)

  function scrollAlong() {
    const element = scroller.current!
    const end = element.scrollHeight - element.clientHeight
    const question = (content.current!.lastElementChild as HTMLElement | null)?.offsetTop ?? end
    if (follows.current !== 'nothing') {
      scrolledTo.current = Math.max(0, follows.current === 'end' ? end : Math.min(end, question - ABOVE))
      element.scrollTop = scrolledTo.current
    }
    setAway(end - element.scrollTop > NEAR)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: what it reads are refs, and those stay.
  useEffect(() => {
    const element = scroller.current!
    const onScroll = () => {
      const isFromEnd = element.scrollHeight - element.clientHeight - element.scrollTop
      setAway(isFromEnd > NEAR)
      if (Math.abs(element.scrollTop - scrolledTo.current) < 2) return
      follows.current = isFromEnd < 2 ? 'end' : 'nothing'
    }
    const observer = new ResizeObserver(scrollAlong)
    element.addEventListener('scroll', onScroll, { passive: true })
    observer.observe(content.current!)
    return () => {
      element.removeEventListener('scroll', onScroll)
      observer.disconnect()
    }
  }, [])

  return {
    /** Whether there is more below than is shown. */
    isAway,
    toEnd() {
      follows.current = 'end'
      scrollAlong()
    },
    /** Follows the question that is about to appear. */
    toQuestion() {
      follows.current = 'question'
    },
  }
}
