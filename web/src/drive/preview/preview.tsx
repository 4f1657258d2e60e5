import { lazy, Suspense } from 'react'
import type { PreviewKind } from './kinds.ts'
import { Opening, type PreviewProps } from './opening.tsx'

/** Each comes with the libraries that it needs, when the first file of its kind is opened. */
const PREVIEWS: Record<PreviewKind, React.ComponentType<PreviewProps>> = {
  pdf: lazy(() => import('./pdf/pdf-preview.tsx')),
  image: lazy(() => import('./image-preview.tsx')),
  markdown: lazy(() => import('./markdown-preview.tsx')),
  table: lazy(() => import('./table/table-preview.tsx')),
  text: lazy(() => import('./text-preview.tsx')),
}

/** A file as it is. */
export function Preview({ kind, ...props }: PreviewProps & { kind: PreviewKind }) {
  const Shown = PREVIEWS[kind]
  return (
    <Suspense fallback={<Opening />}>
      <Shown {...props} />
    </Suspense>
  )
}
