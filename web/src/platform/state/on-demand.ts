import { useEffect, useState } from 'react'

/** Makes a hook that gives a part of the program once it is needed and loaded, and null until then. */
export function onDemand<T extends object>(load: () => Promise<T>): (isNeeded: boolean) => T | null {
  let loaded: T | null = null
  return function usePart(isNeeded) {
    const [part, setPart] = useState(loaded)
    useEffect(() => {
      if (!isNeeded || part) return
      load().then(
        (made) => {
          loaded ??= made
          setPart(() => loaded)
        },
        () => {},
      )
    }, [isNeeded, part])
    return isNeeded ? part : null
  }
}
