import { useEffect, useState } from 'react'

const PAUSE_MS = 200

/** Returns the value once it has not changed for a moment, so that typing does not send a request per letter. */
export function useLater<T>(value: T): T {
  const [later, setLater] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return later
}
