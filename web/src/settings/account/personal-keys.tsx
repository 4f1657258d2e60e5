import type { ApiKey, CreatedApiKey } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../ui/controls/button.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { TimeOrNever } from '../../ui/data/time.tsx'
import { Plus } from '../../ui/icons.ts'
import { ReadProblem } from '../../ui/notices/read-problem.tsx'
import { FormDialog } from '../../ui/overlays/form-dialog.tsx'
import { actionsColumn, KeyDialogs, lastUsedColumn, nameColumn, useKeyDialogs } from '../keys/key-dialogs.tsx'
import { KeyExpiryField, KeyNameField } from '../keys/key-fields.tsx'
import { expiryOf } from '../keys/key-words.ts'
import { SettingSection } from '../setting-section.tsx'
import { createPersonalKey, revokePersonalKey, rotatePersonalKey, usePersonalKeys } from './account.queries.ts'

/** Keys for the person's own programs. */
export function PersonalKeysSection() {
  const { data, error, isLoading, refetch } = usePersonalKeys()
  const dialogs = useKeyDialogs()
  return (
    <SettingSection
      title={t`Personal API keys`}
      isWaiting={isLoading}
      about={t`For programs of your own in this workspace. They may do what you may, and end with your membership.`}
      actions={
        <Button icon={Plus} onClick={dialogs.make}>
          <Trans>New personal key</Trans>
        </Button>
      }
    >
      {error && <ReadProblem error={error} onRetry={refetch} />}
      {data && data.api_keys.length > 0 && (
        <Table
          label={t`Personal API keys`}
          columns={columns(dialogs.rotate, dialogs.revoke)}
          rows={data.api_keys}
          rowKey={({ id }) => id}
        />
      )}
      <KeyDialogs
        dialogs={dialogs}
        form={(props) => <PersonalKeyForm {...props} />}
        rotate={rotatePersonalKey}
        revoke={revokePersonalKey}
      />
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
      title={t`New personal key`}
      saving={making}
      save={t`Create key`}
      isDisabled={!name.trim()}
      onSave={() => making.mutate()}
      onClose={onClose}
    >
      <KeyNameField
        hint={t`What uses it, so that you recognize it when you revoke it.`}
        name={name}
        onChange={setName}
      />
      <KeyExpiryField days={days} onChange={setDays} />
    </FormDialog>
  )
}

const columns = (onRotate: (key: ApiKey) => void, onRevoke: (key: ApiKey) => void): Column<ApiKey>[] => [
  nameColumn(),
  {
    key: 'expires',
    header: t`Expires`,
    cell: ({ expires_at }) => <TimeOrNever iso={expires_at} />,
  },
  lastUsedColumn,
  actionsColumn({ onRotate, onRevoke }),
]
