import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'

/** Component that is loaded when it is first shown; until then nothing stands in its place. */
export function later<P extends object>(load: () => Promise<ComponentType<P>>): (props: P) => ReactNode {
  const Loaded = lazy(async () => ({ default: await load() }))
  return (props) => (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  )
}
