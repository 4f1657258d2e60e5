import type { CreatedScimToken, ScimToken } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryClient, roleName, useMe, useWorkspaceId, wholeDocent } from '../../access/access.ts'
import { isolate } from '../../platform/format.ts'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import { CopyBox } from '../../ui/controls/copy-button.tsx'
import { ActionsHeader } from '../../ui/data/actions-header.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Time, TimeOrNever } from '../../ui/data/time.tsx'
import { Field, Input } from '../../ui/fields/field.tsx'
import { Plus, Trash2 } from '../../ui/icons.ts'
import { ReadProblem } from '../../ui/notices/read-problem.tsx'
import { ConfirmDialog } from '../../ui/overlays/ask-dialogs.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { FormDialog } from '../../ui/overlays/form-dialog.tsx'
import { SettingSection } from '../setting-section.tsx'

const queryKey = (workspaceId: string) => ['scim-tokens', workspaceId]
const refresh = () => queryClient.invalidateQueries({ queryKey: ['scim-tokens'] })

/** Tokens with which a company's directory manages the members. */
export function ScimSection() {
  const workspaceId = useWorkspaceId()
  const { data, error, refetch } = useQuery({
    queryKey: queryKey(workspaceId),
    queryFn: () => wholeDocent().scimTokens.list(workspaceId),
  })
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState<CreatedScimToken | null>(null)
  const [revoking, setRevoking] = useState<ScimToken | null>(null)
  // A narrowed key could otherwise let in somebody who may do more.
  const isNarrowed = useMe().data?.key.scopes != null
  return (
    <SettingSection
      title={t`Directory (SCIM)`}
      about={t`Entra, Okta and other directories add members by themselves, and end access at once when somebody leaves the company.`}
      actions={
        !isNarrowed && (
          <Button icon={Plus} onClick={() => setMaking(true)}>
            <Trans>New SCIM token</Trans>
          </Button>
        )
      }
    >
      {error && <ReadProblem error={error} onRetry={refetch} />}
      {data && data.scim_tokens.length > 0 && (
        <Table label={t`SCIM tokens`} columns={columns(setRevoking)} rows={data.scim_tokens} rowKey={({ id }) => id} />
      )}
      {isMaking && (
        <TokenForm
          onClose={() => setMaking(false)}
          onMade={(token) => {
            setMaking(false)
            setMade(token)
          }}
        />
      )}
      {made && <MadeToken token={made} onClose={() => setMade(null)} />}
      {revoking && (
        <ConfirmDialog
          title={t`Revoke “${revoking.name}”?`}
          confirm={t`Revoke`}
          act={async () => {
            await wholeDocent().scimTokens.revoke(workspaceId, revoking.id)
            await refresh()
          }}
          onClose={() => setRevoking(null)}
        >
          <Trans>
            The directory that uses {isolate(`${revoking.prefix}…`)} is refused at once: it adds nobody and ends
            nobody's access any more.
          </Trans>
        </ConfirmDialog>
      )}
    </SettingSection>
  )
}

function TokenForm({ onClose, onMade }: { onClose: () => void; onMade: (token: CreatedScimToken) => void }) {
  const workspaceId = useWorkspaceId()
  const [name, setName] = useState('')
  const making = useMutation({
    mutationFn: async () => {
      const token = await wholeDocent().scimTokens.create(workspaceId, { name: name.trim() })
      await refresh()
      return token
    },
    onSuccess: onMade,
  })
  return (
    <FormDialog
      title={t`New SCIM token`}
      saving={making}
      save={t`Make it`}
      onSave={() => making.mutate()}
      onClose={onClose}
    >
      <Field
        label={t`Name`}
        hint={t`For instance the directory that will use it. It manages members up to your own role.`}
      >
        {(control) => (
          <Input
            {...control}
            required
            autoFocus
            maxLength={256}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
    </FormDialog>
  )
}

/** New token, shown this one time. */
const MadeToken = ({ token, onClose }: { token: CreatedScimToken; onClose: () => void }) => (
  <Dialog title={t`“${token.name}” is ready`} width="wide" onClose={onClose}>
    <p className="mb-3">
      <Trans>
        Enter both in the directory. Copy the token now: <strong>it is not shown again</strong>.
      </Trans>
    </p>
    <p className="mb-2 text-sm text-muted">
      <Trans>Tenant or base URL</Trans>
    </p>
    <CopyBox label={t`The base URL`} text={token.base_url} />
    <p className="mt-4 mb-2 text-sm text-muted">
      <Trans>Secret or bearer token</Trans>
    </p>
    <CopyBox label={t`The SCIM token`} text={token.token} />
    <div className="mt-5 flex justify-end">
      <Button variant="primary" onClick={onClose}>
        <Trans>I have saved it</Trans>
      </Button>
    </div>
  </Dialog>
)

const columns = (onRevoke: (token: ScimToken) => void): Column<ScimToken>[] => [
  {
    key: 'name',
    header: t`Name`,
    className: 'min-w-44',
    cell: ({ name, prefix }) => (
      <>
        <span className="block font-medium wrap-anywhere">{name}</span>
        <span className="font-mono text-sm text-muted">{prefix}…</span>
      </>
    ),
  },
  { key: 'role', header: t`Manages up to`, cell: ({ role }) => roleName(role) },
  { key: 'created', header: t`Made`, cell: ({ created_at }) => <Time iso={created_at} /> },
  {
    key: 'used',
    header: t`Last used`,
    cell: ({ last_used_at }) => <TimeOrNever iso={last_used_at} />,
  },
  {
    key: 'actions',
    header: <ActionsHeader />,
    className: 'w-px',
    cell: (token) => <IconButton label={t`Revoke ${token.name}`} icon={Trash2} onClick={() => onRevoke(token)} />,
  },
]
