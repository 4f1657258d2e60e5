import type { ApiKey, CreatedApiKey } from '@docent/sdk'
import { useState } from 'react'
import { NoAccess, useIsAdmin, useMay, useMe, useWorkspaceId } from '../../access/access.ts'
import { explain } from '../../platform/errors.ts'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import { Pager } from '../../ui/controls/pager.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Time } from '../../ui/data/time.tsx'
import { Plus, RefreshCw, Trash2 } from '../../ui/icons.ts'
import { Badge } from '../../ui/notices/badge.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { ConfirmDialog } from '../../ui/overlays/ask-dialogs.tsx'
import { SettingSection } from '../setting-section.tsx'
import { BrowserOrigins } from './browser-origins.tsx'
import { KeyForm } from './key-form.tsx'
import { scopesInWords } from './key-words.ts'
import { KEYS_PER_PAGE, revokeKey, rotateKey, useKeys } from './keys.queries.ts'
import { MadeKey } from './made-key.tsx'
import { RotateKey } from './rotate-key.tsx'

/** API keys of the workspace. */
export function KeysPage() {
  const mayManage = useMay('manage_keys')
  const isAdmin = useIsAdmin()
  if (!mayManage) return <NoAccess>Keys are for admins, owners, and keys with the permission manage_keys.</NoAccess>
  return (
    <>
      <Keys />
      {isAdmin && <BrowserOrigins />}
    </>
  )
}

function Keys() {
  const [page, setPage] = useState(1)
  const { data, error, refetch, isPlaceholderData } = useKeys(page)
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState<CreatedApiKey | null>(null)
  const [revoking, setRevoking] = useState<ApiKey | null>(null)
  const [rotating, setRotating] = useState<ApiKey | null>(null)
  const { data: me } = useMe()
  const workspaceId = useWorkspaceId()
  // A narrowed key could otherwise create a wider one.
  const isNarrowed = me?.key.scopes != null
  return (
    <SettingSection
      title="API keys"
      about="A key works in the API and in this UI. Give every application and every person a key of their own, with no more rights than needed."
      actions={
        !isNarrowed && (
          <Button variant="primary" icon={Plus} onClick={() => setMaking(true)}>
            New key
          </Button>
        )
      }
    >
      {error && <Notice action={<Button onClick={() => refetch()}>Try again</Button>}>{explain(error)}</Notice>}
      {data && (
        <>
          <Table
            label="API keys"
            columns={columns(me?.key.id, { onRotate: isNarrowed ? undefined : setRotating, onRevoke: setRevoking })}
            rows={data.api_keys}
            rowKey={({ id }) => id}
            isStale={isPlaceholderData}
          />
          <Pager page={page} pageSize={KEYS_PER_PAGE} total={data.total} onPage={setPage} />
        </>
      )}
      {isMaking && (
        <KeyForm
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
          act={(seconds) => rotateKey(workspaceId, rotating, seconds)}
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
          act={() => revokeKey(workspaceId, revoking)}
          onClose={() => setRevoking(null)}
        >
          Whatever uses {revoking.prefix}… is refused within five seconds, for good.
          {revoking.id === me?.key.id && ' You are signed in with this key: you will be signed out.'}
        </ConfirmDialog>
      )}
    </SettingSection>
  )
}

interface KeyActions {
  /** Absent for somebody who may not. */
  onRotate: ((key: ApiKey) => void) | undefined
  onRevoke: (key: ApiKey) => void
}

const columns = (ownId: string | undefined, { onRotate, onRevoke }: KeyActions): Column<ApiKey>[] => [
  {
    key: 'name',
    header: 'Name',
    className: 'min-w-44',
    cell: ({ id, name, prefix }) => (
      <>
        <span className="block font-medium wrap-anywhere">{name}</span>
        <span className="font-mono text-sm text-muted">{prefix}…</span>
        {id === ownId && <span className="ml-2 text-sm text-accent">this session</span>}
      </>
    ),
  },
  { key: 'role', header: 'Role', cell: ({ role }) => <span className="capitalize">{role}</span> },
  {
    key: 'may',
    header: 'May',
    className: 'min-w-52 text-muted',
    cell: (key) => <span className="text-sm">{scopesInWords(key)}</span>,
  },
  {
    key: 'expires',
    header: 'Expires',
    cell: ({ expires_at }) => {
      if (!expires_at) return <span className="text-muted">Never</span>
      return Date.parse(expires_at) < Date.now() ? <Badge tone="bad">Expired</Badge> : <Time iso={expires_at} />
    },
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
        {onRotate && <IconButton label={`New secret for ${key.name}`} icon={RefreshCw} onClick={() => onRotate(key)} />}
        <IconButton label={`Revoke ${key.name}`} icon={Trash2} onClick={() => onRevoke(key)} />
      </span>
    ),
  },
]
