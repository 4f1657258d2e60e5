import type { ReactNode } from 'react'
import { cx } from '../class-names.ts'
import { Ban, Upload } from '../icons.ts'

interface DropNoteProps {
  /** Whether nothing may be dropped here. */
  isRefused?: boolean
  /** Whether it lies over the whole window, not only over the area that holds it. */
  isOverAll?: boolean
  children: ReactNode
}

/** Frame while files are dragged over an area, with what a drop would do. */
export const DropNote = ({ isRefused = false, isOverAll = false, children }: DropNoteProps) => (
  <div
    className={cx(
      'pointer-events-none inset-3 flex items-end justify-center rounded-card border-2 border-dashed p-5',
      isOverAll ? 'fixed z-40' : 'absolute z-10',
      isRefused ? 'border-line-strong' : 'border-accent',
    )}
  >
    <p
      role="status"
      className={cx(
        'flex animate-rise items-center gap-3 rounded-full px-5 py-2.5 font-medium shadow-raised',
        isRefused ? 'border border-line bg-raised text-ink' : 'bg-accent text-on-accent',
      )}
    >
      {isRefused ? <Ban size={18} aria-hidden /> : <Upload size={18} aria-hidden />}
      {children}
    </p>
  </div>
)
