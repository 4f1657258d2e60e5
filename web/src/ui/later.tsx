import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'

/** Component that is loaded when it is first shown. @param Meanwhile shown until then; default: nothing */
export function later<P extends object>(
  load: () => Promise<ComponentType<P>>,
  Meanwhile?: ComponentType,
): (props: P) => ReactNode {
  const Loaded = lazy(async () => ({ default: await load() }))
  return (props) => (
    <Suspense fallback={Meanwhile && <Meanwhile />}>
      <Loaded {...props} />
    </Suspense>
  )
}
