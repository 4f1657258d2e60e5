import type { Account, Passkey } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { signInOptions } from '../../../access/access.ts'
import { Button, IconButton } from '../../../ui/controls/button.tsx'
import { ActionsHeader } from '../../../ui/data/actions-header.tsx'
import { type Column, Table } from '../../../ui/data/table.tsx'
import { Time, TimeOrNever } from '../../../ui/data/time.tsx'
import { Pencil, Plus, Trash2 } from '../../../ui/icons.ts'
import { Waiting } from '../../../ui/layout/waiting.tsx'
import { NameDialog } from '../../../ui/overlays/ask-dialogs.tsx'
import { SettingSection } from '../../setting-section.tsx'
import { AddPasskey, RemovePasskey } from './passkey-dialogs.tsx'
import { renamePasskey } from './passkeys.queries.ts'

/** Passkeys of the account. */
export function PasskeysSection({ account }: { account: Account }) {
  const options = useQuery(signInOptions)
  const [isAdding, setAdding] = useState(false)
  const [renaming, setRenaming] = useState<Passkey | null>(null)
  const [removing, setRemoving] = useState<Passkey | null>(null)
  const { passkeys } = account
  if (options.isLoading) return <Waiting />
  if (!options.data?.passkeys && passkeys.length === 0) return null
  return (
    <SettingSection
      title={t`Passkeys`}
      about={t`Sign in with a finger, your face or the PIN of a device, without a password. Once you have one, the password asks for a second factor, too: add a second passkey, on another device, should you lose the first.`}
      actions={
        options.data?.passkeys && (
          <Button icon={Plus} onClick={() => setAdding(true)}>
            <Trans>Add a passkey</Trans>
          </Button>
        )
      }
    >
      {passkeys.length > 0 && (
        <Table
          label={t`Passkeys`}
          columns={columns(setRenaming, setRemoving)}
          rows={passkeys}
          rowKey={({ id }) => id}
        />
      )}
      {isAdding && <AddPasskey account={account} onClose={() => setAdding(false)} />}
      {renaming && (
        <NameDialog
          title={t`Rename the passkey`}
          label={t`Name`}
          initial={renaming.name}
          confirm={t`Rename`}
          act={(name) => renamePasskey(renaming, name)}
          onClose={() => setRenaming(null)}
        />
      )}
      {removing && <RemovePasskey account={account} passkey={removing} onClose={() => setRemoving(null)} />}
    </SettingSection>
  )
}

const columns = (onRename: (one: Passkey) => void, onRemove: (one: Passkey) => void): Column<Passkey>[] => [
  {
    key: 'name',
    header: t`Name`,
    className: 'min-w-44',
    cell: ({ name }) => <span className="font-medium wrap-anywhere">{name}</span>,
  },
  { key: 'created', header: t`Added`, cell: ({ created_at }) => <Time iso={created_at} /> },
  {
    key: 'used',
    header: t`Last used`,
    cell: ({ last_used_at }) => <TimeOrNever iso={last_used_at} />,
  },
  {
    key: 'actions',
    header: <ActionsHeader />,
    className: 'w-px',
    cell: (passkey) => (
      <span className="flex">
        <IconButton label={t`Rename ${passkey.name}`} icon={Pencil} onClick={() => onRename(passkey)} />
        <IconButton label={t`Remove ${passkey.name}`} icon={Trash2} onClick={() => onRemove(passkey)} />
      </span>
    ),
  },
]
