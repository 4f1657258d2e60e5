import { type RefObject, useEffect, useRef, useState } from 'react'

/** Distance from the end that still counts as the end, in pixels. */
const NEAR = 80
/** Space above a question that was scrolled to. */
const ABOVE = 24
/** Space below a request for a decision. */
const BELOW = 40

/** Distance to scroll to show a whole request for a decision (`data-asks`) in a turn, from its top. */
function endOfAsking(scroller: HTMLElement, turn: HTMLElement | null): number {
  const asking = turn?.querySelector('[data-asks]')?.getBoundingClientRect()
  if (!asking) return 0
  const above = scroller.getBoundingClientRect().top - scroller.scrollTop
  return Math.min(asking.top - ABOVE, asking.bottom + BELOW - scroller.clientHeight) - above
}

/**
 * Follows a growing answer: scrolls until its question is at the top, so that it can be read from the start, shows
 * requests for decisions with their buttons, and follows to the very end once the reader went there. Stops when the
 * reader scrolls elsewhere.
 * @param content its last child is the newest question with its answer.
 */
export function useFollowScroll(scroller: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>) {
  const follows = useRef<'question' | 'end' | 'nothing'>('question')
  const scrolledTo = useRef(0)
  const [isScrolledUp, setScrolledUp] = useState(false)

  function scrollAlong() {
    const element = scroller.current!
    const end = element.scrollHeight - element.clientHeight
    const turn = content.current!.lastElementChild as HTMLElement | null
    const question = (turn?.offsetTop ?? end) - ABOVE
    if (follows.current !== 'nothing') {
      const place = follows.current === 'end' ? end : Math.max(question, endOfAsking(element, turn))
      scrolledTo.current = Math.max(0, Math.min(end, place))
      element.scrollTop = scrolledTo.current
    }
    setScrolledUp(end - element.scrollTop > NEAR)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: what it reads are refs, and those stay.
  useEffect(() => {
    const element = scroller.current!
    const onScroll = () => {
      const isFromEnd = element.scrollHeight - element.clientHeight - element.scrollTop
      setScrolledUp(isFromEnd > NEAR)
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
    /** Whether there is more below the visible part. */
    isScrolledUp,
    toEnd() {
      follows.current = 'end'
      scrollAlong()
    },
    /** Leaves the scrolling to the caller that asked for another place. */
    stay() {
      follows.current = 'nothing'
    },
    /** Follows the question that is about to appear. */
    toQuestion() {
      follows.current = 'question'
    },
  }
}
