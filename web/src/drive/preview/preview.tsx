import { lazy, Suspense } from 'react'
import type { PreviewKind } from './kinds.ts'
import { Opening, type PreviewProps } from './opening.tsx'

/** Components that load with their libraries when the first file of their kind is opened. */
const PREVIEWS: Record<PreviewKind, React.ComponentType<PreviewProps>> = {
  docx: lazy(() => import('./docx/docx-preview.tsx')),
  pptx: lazy(() => import('./pptx/pptx-preview.tsx')),
  email: lazy(() => import('./email-preview.tsx')),
  pdf: lazy(() => import('./pdf/pdf-preview.tsx')),
  image: lazy(() => import('./image-preview.tsx')),
  markdown: lazy(() => import('./markdown-preview.tsx')),
  table: lazy(() => import('./table/table-preview.tsx')),
  sound: lazy(() => import('./recording-preview.tsx')),
  film: lazy(() => import('./recording-preview.tsx')),
  text: lazy(() => import('./text-preview.tsx')),
}

/** Preview of a file in its own format. */
export function Preview({ kind, ...props }: PreviewProps & { kind: PreviewKind }) {
  const Shown = PREVIEWS[kind]
  return (
    <Suspense fallback={<Opening />}>
      <Shown {...props} />
    </Suspense>
  )
}
