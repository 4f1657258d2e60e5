import { useEffect, useState } from 'react'

const PAUSE_MS = 200

/** A value once it has not changed for a moment: what is typed is not asked for letter by letter. */
export function useLater<T>(value: T): T {
  const [later, setLater] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return later
}
