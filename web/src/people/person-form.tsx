import type { VirtualUser } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useWorkspaceId } from '../access/access.ts'
import { Field, Input } from '../ui/fields/field.tsx'
import { FormDialog } from '../ui/overlays/form-dialog.tsx'
import { fromRows, MetadataFields, toRows } from './metadata-fields.tsx'
import { addPerson, changePerson, type ProfileFields } from './people.queries.ts'

interface PersonFormProps {
  /** Profile to edit; null to add one. */
  person: VirtualUser | null
  onSaved: (person: VirtualUser) => unknown
  onClose: () => void
}

export function PersonForm({ person, onSaved, onClose }: PersonFormProps) {
  const workspaceId = useWorkspaceId()
  const [email, setEmail] = useState(person?.email ?? '')
  const [name, setName] = useState(person?.name ?? '')
  const [origin, setOrigin] = useState(person?.origin ?? '')
  const [rows, setRows] = useState(() => toRows(person?.metadata ?? {}))
  const saving = useMutation({
    mutationFn: () => {
      const fields: ProfileFields = {
        name: name.trim() || null,
        origin: origin.trim() || null,
        metadata: fromRows(rows),
      }
      return person ? changePerson(workspaceId, person.id, fields) : addPerson(workspaceId, email.trim(), fields)
    },
    async onSuccess(saved) {
      await onSaved(saved)
      onClose()
    },
  })
  return (
    <FormDialog
      title={person ? t`Edit the profile` : t`Add a person`}
      width="wide"
      onClose={onClose}
      saving={saving}
      save={person ? t`Save` : t`Add`}
      onSave={() => saving.mutate()}
    >
      <Field
        label={t`E-mail`}
        hint={
          person
            ? t`It identifies the person and cannot be changed.`
            : t`A known e-mail opens the existing profile; a removed profile is restored.`
        }
      >
        {(control) => (
          <Input
            {...control}
            type="email"
            required
            autoFocus={!person}
            disabled={person !== null}
            maxLength={254}
            autoComplete="off"
            value={email}
            onChange={({ target }) => setEmail(target.value)}
          />
        )}
      </Field>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label={t`Name`}>
          {(control) => (
            <Input
              {...control}
              autoFocus={person !== null}
              maxLength={256}
              value={name}
              onChange={({ target }) => setName(target.value)}
            />
          )}
        </Field>
        <Field label={t`From`} hint={t`The application that they come from.`}>
          {(control) => (
            <Input {...control} maxLength={256} value={origin} onChange={({ target }) => setOrigin(target.value)} />
          )}
        </Field>
      </div>
      <MetadataFields rows={rows} onChange={setRows} />
    </FormDialog>
  )
}
