import { type RefObject, useCallback, useEffect, useRef } from 'react'

/** Distance from what is seen that still counts as near, in pixels: more than a turn of the wheel. */
const NEAR = 1_500

/** Called with whether the element is near, and how high it was, in pixels. */
type OnNearness = (isNear: boolean, height: number) => void

/** Tells whenever an element comes near what is seen, or is no longer near, and once at the beginning. @returns ends it */
export type Watch = (element: Element, onNearness: OnNearness) => () => void

/** Makes the function that watches elements inside a scroller; it keeps its identity. */
export function useNearness(scroller: RefObject<HTMLElement | null>): Watch {
  const watched = useRef(new Map<Element, OnNearness>())
  const observer = useRef<IntersectionObserver>(undefined)
  useEffect(
    () => () => {
      observer.current?.disconnect()
      observer.current = undefined
    },
    [],
  )
  return useCallback(
    (element, onNearness) => {
      // The effects of what is inside run before those of what is around it: the first one makes the observer.
      observer.current ??= new IntersectionObserver(
        (entries) => {
          for (const { target, isIntersecting, boundingClientRect } of entries)
            watched.current.get(target)?.(isIntersecting, boundingClientRect.height)
        },
        { root: scroller.current, rootMargin: `${NEAR}px 0px` },
      )
      watched.current.set(element, onNearness)
      observer.current.observe(element)
      return () => {
        watched.current.delete(element)
        observer.current?.unobserve(element)
      }
    },
    [scroller],
  )
}
