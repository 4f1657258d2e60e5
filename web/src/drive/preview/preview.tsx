import type { DataSource } from '@docent/sdk'
import { lazy, Suspense } from 'react'
import { Spinner } from '../../ui/controls/button.tsx'
import type { PlaceInFile } from '../addresses.ts'
import type { PreviewKind } from './kinds.ts'
import type { Target } from './target.ts'

export interface PreviewProps {
  file: DataSource
  place: PlaceInFile
  /** The passage to mark; null for none. */
  target: Target | null
  /** Told whether the passage could be marked in the document as it is shown. */
  onMarked: (isMarked: boolean) => void
}

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

export const Opening = () => (
  <div className="grid flex-1 place-items-center p-10 text-muted">
    <Spinner label="Opening the file" />
  </div>
)
