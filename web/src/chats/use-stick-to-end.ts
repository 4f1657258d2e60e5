import { type RefObject, useEffect, useRef, useState } from 'react'

/** So near to the end counts as at the end, in pixels. */
const NEAR = 80

/**
 * Keeps a scrolling element at its end while its content grows, until the reader scrolls away.
 * @returns whether the reader is away from the end, and a way back.
 */
export function useStickToEnd(scroller: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>) {
  const isSticking = useRef(true)
  const [isAway, setAway] = useState(false)

  function toEnd() {
    isSticking.current = true
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight })
  }

  useEffect(() => {
    const element = scroller.current!
    const onScroll = () => {
      isSticking.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR
      setAway(!isSticking.current)
    }
    const observer = new ResizeObserver(() => {
      if (isSticking.current) element.scrollTo({ top: element.scrollHeight })
    })
    element.addEventListener('scroll', onScroll, { passive: true })
    observer.observe(content.current!)
    return () => {
      element.removeEventListener('scroll', onScroll)
      observer.disconnect()
    }
  }, [scroller, content])

  return { isAway, toEnd }
}
