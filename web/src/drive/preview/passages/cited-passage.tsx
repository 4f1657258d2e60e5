import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { formatLocation } from '../../../platform/format-location.ts'
import { cx } from '../../../ui/class-names.ts'
import { Button } from '../../../ui/controls/button.tsx'
import type { Target } from '../target.ts'
import { readableRows } from './passage-table.ts'

interface CitedPassageProps {
  target: Target
  /** Whether it is marked in the preview; null while unknown. */
  isMarked: boolean | null
}

/** Cited passage above a preview: one line if it is marked below, its full text if it could not be. */
export function CitedPassage({ target, isMarked }: CitedPassageProps) {
  const [isOpen, setOpen] = useState(false)
  const isWhole = isOpen || isMarked === false
  const position = formatLocation(target.location)
  const text = target.rows.length > 0 ? target.rows.join('\n') : target.text.trim()
  const shown = readableRows(text)?.join(isWhole ? '\n' : '; ') ?? text
  return (
    <section
      aria-label={t`Cited passage`}
      className="flex shrink-0 items-start gap-3 border-b border-line bg-canvas px-4 py-2 sm:px-6"
    >
      <p className="mt-1.5 shrink-0 text-sm font-medium">{position || t`Passage`}</p>
      <div className="min-w-0 flex-1 py-1">
        {isMarked === false && (
          <p className="mb-1 text-sm text-muted">
            {target.ordinal === null
              ? t`The file has changed since it was cited. It read:`
              : t`This is the text that Docent read; it cannot be marked in the document itself.`}
          </p>
        )}
        <p
          className={cx(
            'wrap-anywhere',
            isWhole ? 'max-h-40 overflow-y-auto scroll-quiet whitespace-pre-line' : 'truncate',
          )}
        >
          <mark className="box-decoration-clone bg-mark px-0.5 text-on-mark">{shown}</mark>
        </p>
      </div>
      {isMarked !== false && (
        <Button variant="quiet" className="-my-0.5 -mr-2" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? t`Less` : t`More`}
        </Button>
      )}
    </section>
  )
}
