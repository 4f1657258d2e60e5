import type { DataSource } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Spinner } from '../../ui/controls/button.tsx'
import type { FilePosition } from '../addresses.ts'
import type { Target } from './target.ts'

export interface PreviewProps {
  file: DataSource
  position: FilePosition
  /** Passage to mark; null for none. */
  target: Target | null
  /** Called with whether the passage could be marked in the preview. */
  onMarked: (isMarked: boolean) => void
}

export const Opening = () => (
  <div className="grid flex-1 place-items-center p-10 text-muted">
    <Spinner label={t`Opening the file`} />
  </div>
)
