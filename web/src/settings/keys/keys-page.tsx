import type { ApiKey } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { NoAccess, roleName, useIsAdmin, useMay, useMe, useWorkspaceId } from '../../access/access.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Pager } from '../../ui/controls/pager.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Time } from '../../ui/data/time.tsx'
import { Plus } from '../../ui/icons.ts'
import { Badge } from '../../ui/notices/badge.tsx'
import { ReadProblem } from '../../ui/notices/read-problem.tsx'
import { SettingSection } from '../setting-section.tsx'
import { BrowserOrigins } from './browser-origins.tsx'
import {
  actionsColumn,
  type KeyActions,
  KeyDialogs,
  lastUsedColumn,
  nameColumn,
  useKeyDialogs,
} from './key-dialogs.tsx'
import { KeyForm } from './key-form.tsx'
import { scopesInWords } from './key-words.ts'
import { KEYS_PER_PAGE, revokeKey, rotateKey, useKeys } from './keys.queries.ts'

/** API keys of the workspace. */
export function KeysPage() {
  const mayManage = useMay('manage_keys')
  const isAdmin = useIsAdmin()
  if (!mayManage)
    return (
      <NoAccess>
        <Trans>Keys are for admins, owners, and keys with the permission manage_keys.</Trans>
      </NoAccess>
    )
  return (
    <>
      <Keys />
      {isAdmin && <BrowserOrigins />}
    </>
  )
}

function Keys() {
  const [page, setPage] = useState(1)
  const { data, error, isLoading, refetch, isPlaceholderData } = useKeys(page)
  const dialogs = useKeyDialogs()
  const { data: me } = useMe()
  const workspaceId = useWorkspaceId()
  // A narrowed key could otherwise create a wider one.
  const isNarrowed = me?.key.scopes != null
  return (
    <SettingSection
      title={t`API keys`}
      isWaiting={isLoading}
      about={t`A key works in the API and in this UI. Give every application and every person a key of their own, with no more rights than needed.`}
      actions={
        !isNarrowed && (
          <Button variant="primary" icon={Plus} onClick={dialogs.make}>
            <Trans>New key</Trans>
          </Button>
        )
      }
    >
      {error && <ReadProblem error={error} onRetry={refetch} />}
      {data && (
        <>
          <Table
            label={t`API keys`}
            columns={columns(me?.key.id, {
              onRotate: isNarrowed ? undefined : dialogs.rotate,
              onRevoke: dialogs.revoke,
            })}
            rows={data.api_keys}
            rowKey={({ id }) => id}
            isStale={isPlaceholderData}
          />
          <Pager page={page} pageSize={KEYS_PER_PAGE} total={data.total} onPage={setPage} />
        </>
      )}
      <KeyDialogs
        dialogs={dialogs}
        form={(props) => <KeyForm {...props} />}
        rotate={(key, seconds) => rotateKey(workspaceId, key, seconds)}
        revoke={(key) => revokeKey(workspaceId, key)}
        warning={({ id }) => id === me?.key.id && t` You are signed in with this key: you will be signed out.`}
      />
    </SettingSection>
  )
}

const columns = (ownId: string | undefined, actions: KeyActions): Column<ApiKey>[] => [
  nameColumn(({ id }) => id === ownId, KeyDetails),
  { key: 'role', header: t`Role`, className: 'max-sm:hidden', cell: ({ role }) => roleName(role) },
  {
    key: 'may',
    header: t`May`,
    className: 'min-w-52 text-muted max-sm:hidden',
    cell: (key) => <span className="text-sm">{scopesInWords(key)}</span>,
  },
  { key: 'expires', header: t`Expires`, className: 'max-sm:hidden', cell: Expiry },
  lastUsedColumn,
  actionsColumn(actions),
]

function KeyDetails(key: ApiKey) {
  return (
    <>
      {roleName(key.role)} · {scopesInWords(key)}
      {key.expires_at && (
        <span className="block">
          <Trans>Expires</Trans>: {Expiry(key)}
        </span>
      )}
    </>
  )
}

function Expiry({ expires_at }: ApiKey) {
  if (!expires_at)
    return (
      <span className="text-muted">
        <Trans>Never</Trans>
      </span>
    )
  return Date.parse(expires_at) < Date.now() ? (
    <Badge tone="bad">
      <Trans>Expired</Trans>
    </Badge>
  ) : (
    <Time iso={expires_at} />
  )
}
