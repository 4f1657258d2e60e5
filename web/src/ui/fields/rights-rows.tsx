import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { IconButton } from '../controls/button.tsx'
import { X } from '../icons.ts'
import { Select } from './choice.tsx'

interface RightsRowProps {
  name: string
  isGroup?: boolean
  /** Name of the select for assistive technology. */
  label: string
  level: string
  /** Options of the select. */
  children: ReactNode
  onChange: (level: string) => void
  /** Missing for everyone's row, which stays. */
  onRemove?: () => void
}

/** Row of a list of rights: who has them, which, and a button that takes them away. */
export function RightsRow({ name, isGroup, label, level, children, onChange, onRemove }: RightsRowProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1.5 py-2 pe-2 ps-3.5">
      <span className="min-w-32 flex-1 wrap-anywhere">
        {name}
        {isGroup && (
          <span className="text-sm text-muted">
            {' '}
            <Trans>(group)</Trans>
          </span>
        )}
      </span>
      <Select aria-label={label} className="w-44" value={level} onChange={({ target: { value } }) => onChange(value)}>
        {children}
      </Select>
      {onRemove && <IconButton label={t`Remove ${name}`} icon={X} onClick={onRemove} />}
    </li>
  )
}

/** List of what saving would change, a sentence each; nothing while there is nothing to save. */
export function PendingChanges({ changes }: { changes: readonly string[] }) {
  if (changes.length === 0) return null
  return (
    <section role="status" className="rounded-control border border-line-strong/60 px-3.5 py-3">
      <h3 className="mb-1 font-medium">
        <Trans>Once you save</Trans>
      </h3>
      <ul className="list-disc space-y-1 ps-4 wrap-anywhere">
        {changes.map((change) => (
          <li key={change}>{change}</li>
        ))}
      </ul>
    </section>
  )
}
