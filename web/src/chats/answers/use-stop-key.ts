import { useEffect, useRef } from 'react'
import { unawaited } from '../../ui/unawaited.ts'
import { stopAnswer } from '../composer/composer.tsx'

/** Cancels the running answer on Escape, unless Escape closes something that is open. */
export function useStopKey(stop: (() => Promise<void>) | undefined): void {
  const latest = useRef(stop)
  useEffect(() => {
    latest.current = stop
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || !latest.current) return
      if (document.querySelector('dialog[open], [role=dialog], :popover-open')) return
      unawaited(stopAnswer(latest.current))
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}
