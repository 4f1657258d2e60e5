import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, IconButton } from '../ui/controls/button.tsx'
import { Input } from '../ui/fields/field.tsx'
import { Plus, X } from '../ui/icons.ts'

export interface MetadataRow {
  /** Stable id while key and value are edited. */
  row: number
  key: string
  text: string
  /** Original value: it keeps its type unless it is edited. */
  original: unknown
}

export const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

export const toRows = (metadata: Record<string, unknown>): MetadataRow[] =>
  Object.entries(metadata).map(([key, value], row) => ({ row, key, text: toText(value), original: value }))

/** Metadata of the rows: rows without a key are left out, edited values are text. */
export const fromRows = (rows: MetadataRow[]): Record<string, unknown> =>
  Object.fromEntries(
    rows
      .filter(({ key }) => key.trim())
      .map(({ key, text, original }) => [
        key.trim(),
        original !== undefined && text === toText(original) ? original : text,
      ]),
  )

interface MetadataFieldsProps {
  rows: MetadataRow[]
  onChange: (rows: MetadataRow[]) => void
}

/** Editor of names and values. */
export function MetadataFields({ rows, onChange }: MetadataFieldsProps) {
  const change = (row: number, some: Partial<MetadataRow>) =>
    onChange(rows.map((one) => (one.row === row ? { ...one, ...some } : one)))
  const next = Math.max(-1, ...rows.map(({ row }) => row)) + 1
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium">
        <Trans>Metadata</Trans>
      </legend>
      <ul className="space-y-2">
        {rows.map(({ row, key, text }, index) => (
          <li key={row} className="flex items-center gap-2">
            <Input
              aria-label={t`Name ${index + 1}`}
              placeholder={t`Name`}
              className="basis-2/5"
              maxLength={256}
              value={key}
              onChange={({ target }) => change(row, { key: target.value })}
            />
            <Input
              aria-label={t`Value ${index + 1}`}
              placeholder={t`Value`}
              className="flex-1"
              value={text}
              onChange={({ target }) => change(row, { text: target.value })}
            />
            <IconButton
              label={t`Remove ${key || t`row ${index + 1}`}`}
              icon={X}
              onClick={() => onChange(rows.filter((one) => one.row !== row))}
            />
          </li>
        ))}
      </ul>
      <Button
        variant="quiet"
        icon={Plus}
        className="mt-1 -ms-2"
        onClick={() => onChange([...rows, { row: next, key: '', text: '', original: undefined }])}
      >
        <Trans>Add metadata</Trans>
      </Button>
      <p className="text-sm text-muted">
        <Trans>Names and text are kept in lower case.</Trans>
      </p>
    </fieldset>
  )
}
