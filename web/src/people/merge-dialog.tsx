import type { VirtualUser } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useWorkspaceId } from '../access/access.ts'
import { Field, Input } from '../ui/fields/field.tsx'
import { FormDialog } from '../ui/overlays/form-dialog.tsx'
import { mergePerson, usePeople } from './people.queries.ts'

interface MergeDialogProps {
  person: VirtualUser
  onClose: () => void
  onMerged: (into: VirtualUser) => void
}

/** Asks for the person that stays, and merges the other one into it. */
export function MergeDialog({ person, onClose, onMerged }: MergeDialogProps) {
  const workspaceId = useWorkspaceId()
  const [typed, setTyped] = useState('')
  const { data } = usePeople(typed.trim(), 1)
  const others = (data?.virtual_users ?? []).filter(({ id }) => id !== person.id)
  const into = others.find(({ email }) => email.toLowerCase() === typed.trim().toLowerCase())
  const merging = useMutation({ mutationFn: () => mergePerson(workspaceId, person.id, into!), onSuccess: onMerged })
  const listId = useId()
  return (
    <FormDialog
      title={t`Merge ${person.name ?? person.email}`}
      saving={merging}
      save={t`Merge`}
      isDisabled={!into}
      onSave={() => merging.mutate()}
      onClose={onClose}
    >
      <p>
        <Trans>
          The other person gets the chats, usage, memories and uploads of {person.email}, and questions sent with this
          e-mail from now on. This profile goes, with its name and quotas. It cannot be undone.
        </Trans>
      </p>
      <Field label={t`E-mail of the person that stays`} hint={into && (into.name ?? t`Found`)}>
        {(control) => (
          <>
            <Input
              {...control}
              autoFocus
              autoComplete="off"
              spellCheck={false}
              type="email"
              list={listId}
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
            <datalist id={listId}>
              {others.map(({ id, email, name }) => (
                <option key={id} value={email}>
                  {name}
                </option>
              ))}
            </datalist>
          </>
        )}
      </Field>
    </FormDialog>
  )
}
