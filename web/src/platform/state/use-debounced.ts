import { useEffect, useState } from 'react'

/** Returns the text once it has not changed for a moment, so that typing sends no request per letter; '' at once. */
export function useDebounced(text: string, pauseMs = 200): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    if (text === '') return setSettled('')
    const timer = setTimeout(setSettled, pauseMs, text)
    return () => clearTimeout(timer)
  }, [text, pauseMs])
  return text === '' ? '' : settled
}
