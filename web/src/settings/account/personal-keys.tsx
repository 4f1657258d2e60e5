import type { ApiKey, CreatedApiKey } from '@docent/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { explain } from '../../platform/errors.ts'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Time } from '../../ui/data/time.tsx'
import { Plus, RefreshCw, Trash2 } from '../../ui/icons.ts'
import { Notice } from '../../ui/notices/notice.tsx'
import { ConfirmDialog } from '../../ui/overlays/ask-dialogs.tsx'
import { FormDialog } from '../../ui/overlays/form-dialog.tsx'
import { KeyExpiryField, KeyNameField } from '../keys/key-fields.tsx'
import { expiryOf } from '../keys/key-words.ts'
import { MadeKey } from '../keys/made-key.tsx'
import { RotateKey } from '../keys/rotate-key.tsx'
import { SettingSection } from '../setting-section.tsx'
import { createPersonalKey, revokePersonalKey, rotatePersonalKey, usePersonalKeys } from './account.queries.ts'

/** Keys for the person's own programs. */
export function PersonalKeysSection() {
  const { data, error, refetch } = usePersonalKeys()
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState<CreatedApiKey | null>(null)
  const [revoking, setRevoking] = useState<ApiKey | null>(null)
  const [rotating, setRotating] = useState<ApiKey | null>(null)
  return (
    <SettingSection
      title="Personal API keys"
      about="For programs of your own in this workspace. They may do what you may, and end with your membership."
      actions={
        <Button icon={Plus} onClick={() => setMaking(true)}>
          New personal key
        </Button>
      }
    >
      {error && <Notice action={<Button onClick={() => refetch()}>Try again</Button>}>{explain(error)}</Notice>}
      {data && data.api_keys.length > 0 && (
        <Table
          label="Personal API keys"
          columns={columns(setRotating, setRevoking)}
          rows={data.api_keys}
          rowKey={({ id }) => id}
        />
      )}
      {isMaking && (
        <PersonalKeyForm
          onClose={() => setMaking(false)}
          onMade={(key) => {
            setMaking(false)
            setMade(key)
          }}
        />
      )}
      {made && <MadeKey apiKey={made} onClose={() => setMade(null)} />}
      {rotating && (
        <RotateKey
          apiKey={rotating}
          act={(seconds) => rotatePersonalKey(rotating, seconds)}
          onRotated={(key) => {
            setRotating(null)
            setMade(key)
          }}
          onClose={() => setRotating(null)}
        />
      )}
      {revoking && (
        <ConfirmDialog
          title={`Revoke “${revoking.name}”?`}
          confirm="Revoke"
          act={() => revokePersonalKey(revoking)}
          onClose={() => setRevoking(null)}
        >
          Whatever uses {revoking.prefix}… is refused within five seconds, for good.
        </ConfirmDialog>
      )}
    </SettingSection>
  )
}

function PersonalKeyForm({ onClose, onMade }: { onClose: () => void; onMade: (key: CreatedApiKey) => void }) {
  const [name, setName] = useState('')
  const [days, setDays] = useState(90)
  const making = useMutation({
    mutationFn: () => createPersonalKey({ name: name.trim(), expires_at: expiryOf(days) }),
    onSuccess: onMade,
  })
  return (
    <FormDialog
      title="New personal key"
      saving={making}
      save="Create key"
      isDisabled={!name.trim()}
      onSave={() => making.mutate()}
      onClose={onClose}
    >
      <KeyNameField hint="What uses it, so that you recognize it when you revoke it." name={name} onChange={setName} />
      <KeyExpiryField days={days} onChange={setDays} />
    </FormDialog>
  )
}

const columns = (onRotate: (key: ApiKey) => void, onRevoke: (key: ApiKey) => void): Column<ApiKey>[] => [
  {
    key: 'name',
    header: 'Name',
    className: 'min-w-44',
    cell: ({ name, prefix }) => (
      <>
        <span className="block font-medium wrap-anywhere">{name}</span>
        <span className="font-mono text-sm text-muted">{prefix}…</span>
      </>
    ),
  },
  {
    key: 'expires',
    header: 'Expires',
    cell: ({ expires_at }) => (expires_at ? <Time iso={expires_at} /> : <span className="text-muted">Never</span>),
  },
  {
    key: 'used',
    header: 'Last used',
    cell: ({ last_used_at }) =>
      last_used_at ? <Time iso={last_used_at} /> : <span className="text-muted">Never</span>,
  },
  {
    key: 'actions',
    header: <span className="sr-only">Actions</span>,
    className: 'w-px',
    cell: (key) => (
      <span className="flex">
        <IconButton label={`New secret for ${key.name}`} icon={RefreshCw} onClick={() => onRotate(key)} />
        <IconButton label={`Revoke ${key.name}`} icon={Trash2} onClick={() => onRevoke(key)} />
      </span>
    ),
  },
]
