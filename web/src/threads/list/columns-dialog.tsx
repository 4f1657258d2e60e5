import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { Button } from '../../ui/controls/button.tsx'
import { CheckField } from '../../ui/fields/choice.tsx'
import { Field, Input } from '../../ui/fields/field.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { chooseColumns, OPTIONAL_COLUMNS, useColumnChoice } from './columns.ts'

interface ColumnsDialogProps {
  /** Metadata keys of the listed threads. */
  known: string[]
  onClose: () => void
}

/** Dialog to choose the columns of the table. */
export function ColumnsDialog({ known, onClose }: ColumnsDialogProps) {
  const choice = useColumnChoice()
  const [name, setName] = useState('')
  const keys = [...new Set([...choice.metadata, ...known])].sort()
  const toggled = (all: string[], key: string, isIn: boolean) =>
    isIn ? [...all, key] : all.filter((one) => one !== key)
  return (
    <Dialog title={t`Columns`} onClose={onClose}>
      <div className="grid grid-cols-2 gap-2.5">
        {Object.entries(OPTIONAL_COLUMNS).map(([key, label]) => (
          <CheckField
            key={key}
            label={label}
            checked={!choice.hidden.includes(key)}
            onChange={({ target }) =>
              chooseColumns({ ...choice, hidden: toggled(choice.hidden, key, !target.checked) })
            }
          />
        ))}
      </div>
      <fieldset className="mt-5">
        <legend className="mb-2 font-medium">
          <Trans>Metadata</Trans>
        </legend>
        {keys.length === 0 && (
          <p className="text-muted">
            <Trans>The threads on this page have none.</Trans>
          </p>
        )}
        <div className="grid grid-cols-2 gap-2.5">
          {keys.map((key) => (
            <CheckField
              key={key}
              label={<span className="wrap-anywhere">{key}</span>}
              checked={choice.metadata.includes(key)}
              onChange={({ target }) =>
                chooseColumns({ ...choice, metadata: toggled(choice.metadata, key, target.checked) })
              }
            />
          ))}
        </div>
      </fieldset>
      <form
        className="mt-4 flex items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          const key = name.trim()
          if (key && !choice.metadata.includes(key)) chooseColumns({ ...choice, metadata: [...choice.metadata, key] })
          setName('')
        }}
      >
        <div className="flex-1">
          <Field label={t`Another key`}>
            {(control) => <Input {...control} value={name} onChange={({ target }) => setName(target.value)} />}
          </Field>
        </div>
        <Button type="submit" disabled={!name.trim()} className="h-10">
          <Trans>Add</Trans>
        </Button>
      </form>
      <div className="mt-5 flex justify-end">
        <Button variant="primary" onClick={onClose}>
          <Trans>Done</Trans>
        </Button>
      </div>
    </Dialog>
  )
}
