import type { DataSource } from '@docent/sdk'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useMe } from '../../access/access.ts'
import { fieldErrors } from '../../platform/errors.ts'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import { Facts } from '../../ui/data/facts.tsx'
import { Plus, Trash2 } from '../../ui/icons.ts'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { FormDialog } from '../../ui/overlays/form-dialog.tsx'
import { toast } from '../../ui/overlays/toasts.tsx'
import { changeMetadata, useFolder } from '../drive.queries.ts'
import { fileItem } from '../items/items.ts'
import { useMayWrite } from '../rights.ts'
import { type EditedRow, isMixed, isTwice, toChange, toRows } from './edited-rows.ts'
import { formatValue } from './format-value.ts'
import { type KnownFacts, useKnownFacts } from './known-facts.ts'
import { KeyField, KindSelect, ValueField } from './value-fields.tsx'
import { NO_VALUE, VALUE_KINDS } from './values.ts'

interface MetadataDialogProps {
  /** One or more, of the same folder or of several. */
  files: DataSource[]
  onClose: () => void
}

/** Metadata of one file or of several: to read, and for those who may write the folder to change. */
export function MetadataDialog({ files, onClose }: MetadataDialogProps) {
  const { data: folder } = useFolder(files[0]!.knowledge_base_id)
  const { data: me } = useMe()
  const mayWrite = useMayWrite([], folder)
  if (!folder) return null
  // The source of a linked folder names its files; what is known of them may be set here, too.
  if (folder.organization_id === me?.organization.id && mayWrite(files.map(fileItem), folder))
    return <MetadataForm files={files} onClose={onClose} />
  const facts = Object.entries(files[0]!.metadata)
  return (
    <Dialog title={titleOf(files)} width="wide" onClose={onClose}>
      {facts.length > 0 ? (
        <Facts facts={facts.map(([key, value]) => [key, formatValue(value)])} />
      ) : (
        <p className="text-muted">
          <Trans>This file has no metadata.</Trans>
        </p>
      )}
    </Dialog>
  )
}

const titleOf = (files: DataSource[]) =>
  files.length === 1
    ? t`Metadata of “${files[0]!.title}”`
    : t`Metadata of ${plural(files.length, { one: '# file', other: '# files' })}`

function MetadataForm({ files, onClose }: MetadataDialogProps) {
  const [rows, setRows] = useState(() => toRows(files))
  const nextId = useRef(rows.length)
  const folderId = files[0]!.knowledge_base_id
  const known = useKnownFacts([folderId])
  const { data: folder } = useFolder(folderId)
  const change = toChange(rows, files)
  const saving = useMutation({
    mutationFn: () => changeMetadata(files, change),
    onSuccess() {
      toast(t`Saved`)
      onClose()
    },
  })
  const { errorAt, unlessShown } = fieldErrors(
    rows.map(({ key }) => `set.${key.trim()}`),
    [saving.error],
  )
  const isUnchanged = Object.keys(change.set).length === 0 && change.remove.length === 0
  return (
    <FormDialog
      title={titleOf(files)}
      width="double"
      save={t`Save`}
      saving={{ error: unlessShown(saving.error), isPending: saving.isPending }}
      isDisabled={isUnchanged || rows.some((row) => isTwice(rows, row))}
      onSave={() => saving.mutate()}
      onClose={onClose}
    >
      <p className="text-sm text-muted text-pretty">
        <Trans>Facts about a file by which agents and searches can be narrowed, such as a department or a date.</Trans>{' '}
        {rows.some(isMixed) && (
          <Trans>Where the files differ, a field is empty; left so, each keeps its own value.</Trans>
        )}{' '}
        {folder?.integration_id && (
          <Trans>What its source says comes back with the next sync; other keys stay as they are here.</Trans>
        )}
      </p>
      {rows.length > 0 && (
        <ul aria-label={t`Metadata`} className="space-y-4 sm:space-y-2">
          {rows.map((row) => (
            <MetadataRow
              key={row.id}
              row={row}
              known={known}
              keyError={isTwice(rows, row) ? t`This key is there already.` : null}
              error={errorAt(`set.${row.key.trim()}`)}
              onChange={(some) => setRows(rows.map((one) => (one.id === row.id ? { ...one, ...some } : one)))}
              onRemove={() => setRows(rows.filter(({ id }) => id !== row.id))}
            />
          ))}
        </ul>
      )}
      <Button icon={Plus} onClick={() => setRows([...rows, { id: nextId.current++, key: '', value: NO_VALUE }])}>
        <Trans>Add a key</Trans>
      </Button>
    </FormDialog>
  )
}

interface MetadataRowProps {
  row: EditedRow
  known: KnownFacts
  keyError: string | null
  error: string | null
  onChange: (some: Partial<EditedRow>) => void
  onRemove: () => void
}

function MetadataRow({ row, known, keyError, error, onChange, onRemove }: MetadataRowProps) {
  const { key, value, keyBefore, before } = row
  const isOfSeveral = keyBefore !== undefined && before === undefined
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2 sm:grid-cols-[minmax(0,2fr)_9.5rem_minmax(0,3fr)_auto]">
      <KeyField
        value={key}
        known={known}
        error={keyError}
        isFixed={isOfSeveral}
        onChange={(changed) => onChange({ key: changed })}
      />
      <KindSelect
        of={key}
        value={value}
        kinds={VALUE_KINDS}
        className="max-sm:order-2 max-sm:col-span-2"
        onChange={(changed) => onChange({ value: changed })}
      />
      <div className="max-sm:order-3 max-sm:col-span-2">
        <ValueField
          of={key}
          value={value}
          known={known}
          hint={isMixed(row) ? t`These files differ here.` : undefined}
          error={error}
          isOptional={isOfSeveral}
          onChange={(changed) => onChange({ value: changed })}
        />
      </div>
      <IconButton
        label={key ? t`Remove ${key}` : t`Remove this key`}
        icon={Trash2}
        className="mt-1 max-sm:order-1"
        onClick={onRemove}
      />
    </li>
  )
}
