import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { explain } from '../../platform/errors.ts'
import { Button } from '../controls/button.tsx'
import { Field, Input } from '../fields/field.tsx'
import { Notice } from '../notices/notice.tsx'
import { Dialog } from './dialog.tsx'
import { FormDialog } from './form-dialog.tsx'

interface ConfirmDialogProps<R> {
  title: string
  children: ReactNode
  confirm: string
  act: () => Promise<R>
  /** Called instead of `onClose` when it was done. */
  onDone?: (result: R) => void
  onClose: () => void
}

/** Asks before something is deleted irreversibly. Stays open with the error if that fails. */
export function ConfirmDialog<R>({ title, children, confirm, act, onDone, onClose }: ConfirmDialogProps<R>) {
  const action = useMutation({ mutationFn: act, onSuccess: onDone ?? onClose })
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="text-muted">{children}</div>
      {action.error && <Notice className="mt-4">{explain(action.error)}</Notice>}
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
        <Button variant="danger" isBusy={action.isPending} onClick={() => action.mutate()}>
          {confirm}
        </Button>
      </div>
    </Dialog>
  )
}

interface NameDialogProps {
  title: string
  label: string
  initial?: string
  confirm: string
  act: (name: string) => Promise<unknown>
  onClose: () => void
}

/** Asks for a name. Stays open with the error if the server refuses it. */
export function NameDialog({ title, label, initial = '', confirm, act, onClose }: NameDialogProps) {
  const [name, setName] = useState(initial)
  const action = useMutation({ mutationFn: act, onSuccess: onClose })
  return (
    <FormDialog
      title={title}
      onClose={onClose}
      saving={{ error: null, isPending: action.isPending }}
      save={confirm}
      onSave={() => action.mutate(name.trim())}
    >
      <Field label={label} error={action.error && explain(action.error)}>
        {(control) => (
          <Input
            {...control}
            autoFocus
            required
            pattern=".*\S.*"
            maxLength={256}
            value={name}
            onFocus={(event) => event.target.select()}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
    </FormDialog>
  )
}
