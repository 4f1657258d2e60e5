import type { WebhookEndpoint, WebhookEndpointWithSecret } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { useWorkspaceId } from '../../../access/access.ts'
import { Button, IconButton } from '../../../ui/controls/button.tsx'
import { ActionsHeader } from '../../../ui/data/actions-header.tsx'
import { type Column, stretched, Table } from '../../../ui/data/table.tsx'
import { Ellipsis, Pencil, Plus, Power, RotateCcw, Trash2, Webhook } from '../../../ui/icons.ts'
import { Badge } from '../../../ui/notices/badge.tsx'
import { EmptyState } from '../../../ui/notices/empty-state.tsx'
import { ReadProblem } from '../../../ui/notices/read-problem.tsx'
import { ConfirmDialog } from '../../../ui/overlays/ask-dialogs.tsx'
import { Menu, MenuItem } from '../../../ui/overlays/menu.tsx'
import { SettingSection } from '../../setting-section.tsx'
import { EndpointForm } from './endpoint-form.tsx'
import { EndpointView } from './endpoint-view.tsx'
import { deleteEndpoint, rotateEndpoint, updateEndpoint, useEndpoints } from './endpoints.queries.ts'
import { eventInWords } from './event-words.ts'
import { MadeSecret } from './made-secret.tsx'

type Open =
  | { kind: 'form'; endpoint: WebhookEndpoint | null }
  | { kind: 'view' | 'rotate' | 'switch' | 'delete'; endpoint: WebhookEndpoint }
  | { kind: 'made'; endpoint: WebhookEndpointWithSecret }

/** URLs to which events of the workspace are sent. */
export function EndpointList() {
  const { data, error, isLoading, refetch } = useEndpoints()
  const [open, setOpen] = useState<Open | null>(null)
  const add = (
    <Button variant="primary" icon={Plus} onClick={() => setOpen({ kind: 'form', endpoint: null })}>
      <Trans>New endpoint</Trans>
    </Button>
  )
  return (
    <SettingSection
      title={t`Endpoints`}
      isWaiting={isLoading}
      about={t`URLs that are called when a file can be found or cannot be indexed, a linked folder fails, or a message waits for a review.`}
      actions={data?.length !== 0 && add}
    >
      {error && <ReadProblem error={error} onRetry={refetch} />}
      {data?.length === 0 && (
        <EmptyState icon={Webhook} title={t`No endpoint yet`} action={add}>
          <Trans>Add the URL of your own service, and choose the events that it receives.</Trans>
        </EmptyState>
      )}
      {data && data.length > 0 && (
        <Table label={t`Endpoints`} columns={columns(setOpen)} rows={data} rowKey={({ id }) => id} />
      )}
      {open && <EndpointDialog open={open} setOpen={setOpen} />}
    </SettingSection>
  )
}

function EndpointDialog({ open, setOpen }: { open: Open; setOpen: (open: Open | null) => void }) {
  const workspaceId = useWorkspaceId()
  const close = () => setOpen(null)
  const { kind, endpoint } = open
  switch (kind) {
    case 'form':
      return (
        <EndpointForm
          endpoint={endpoint}
          onMade={(made) => setOpen({ kind: 'made', endpoint: made })}
          onClose={close}
        />
      )
    case 'made':
      return <MadeSecret endpoint={endpoint} onClose={close} />
    case 'view':
      return <EndpointView endpoint={endpoint} onClose={close} />
    case 'rotate':
      return (
        <ConfirmDialog
          title={t`Make a new secret?`}
          confirm={t`Rotate`}
          act={() => rotateEndpoint(workspaceId, endpoint.id)}
          onDone={(rotated) => setOpen({ kind: 'made', endpoint: rotated })}
          onClose={close}
        >
          <Trans>
            For the next 24 hours every webhook carries two signatures, one with each secret, so nothing is refused
            while you give the new one to your receivers. After that the old one is gone.
          </Trans>
        </ConfirmDialog>
      )
    case 'switch':
      return (
        <ConfirmDialog
          title={endpoint.is_enabled ? t`Switch the endpoint off?` : t`Switch the endpoint on?`}
          confirm={endpoint.is_enabled ? t`Switch off` : t`Switch on`}
          act={() => updateEndpoint(workspaceId, endpoint.id, { is_enabled: !endpoint.is_enabled })}
          onClose={close}
        >
          {endpoint.is_enabled
            ? t`Events that happen while it is off are not sent later.`
            : t`Events that happen from now on are sent again.`}
        </ConfirmDialog>
      )
    default:
      return (
        <ConfirmDialog
          title={t`Delete this endpoint?`}
          confirm={t`Delete`}
          act={() => deleteEndpoint(workspaceId, endpoint.id)}
          onClose={close}
        >
          <Trans>
            Nothing more is sent to <span dir="ltr">{endpoint.url}</span>, and pending deliveries are dropped.
          </Trans>
        </ConfirmDialog>
      )
  }
}

const columns = (setOpen: (open: Open) => void): Column<WebhookEndpoint>[] => [
  {
    key: 'url',
    header: t`URL`,
    className: 'w-full max-w-0 sm:min-w-52',
    cell: (endpoint) => (
      <>
        <button
          type="button"
          aria-haspopup="dialog"
          dir="ltr"
          onClick={() => setOpen({ kind: 'view', endpoint })}
          className={`${stretched} block max-w-full truncate text-start`}
        >
          {endpoint.url}
        </button>
        {endpoint.description && <span className="line-clamp-2 text-sm text-muted">{endpoint.description}</span>}
        <span className="block text-sm text-muted md:hidden">{eventsOf(endpoint)}</span>
      </>
    ),
  },
  { key: 'events', header: t`Events`, className: 'min-w-64 max-md:hidden', cell: eventsOf },
  { key: 'state', header: t`State`, cell: (endpoint) => <StateBadge endpoint={endpoint} /> },
  {
    key: 'actions',
    header: <ActionsHeader />,
    className: 'w-px',
    cell: (endpoint) => (
      <span className="relative">
        <Menu
          label={t`Actions for ${endpoint.url}`}
          trigger={(props) => <IconButton {...props} label={t`Actions for ${endpoint.url}`} icon={Ellipsis} />}
        >
          <MenuItem icon={Power} onSelect={() => setOpen({ kind: 'switch', endpoint })}>
            {endpoint.is_enabled ? t`Switch off` : t`Switch on`}
          </MenuItem>
          <MenuItem icon={Pencil} onSelect={() => setOpen({ kind: 'form', endpoint })}>
            <Trans>Change</Trans>
          </MenuItem>
          <MenuItem icon={RotateCcw} onSelect={() => setOpen({ kind: 'rotate', endpoint })}>
            <Trans>New secret</Trans>
          </MenuItem>
          <MenuItem icon={Trash2} isDangerous onSelect={() => setOpen({ kind: 'delete', endpoint })}>
            <Trans>Delete</Trans>
          </MenuItem>
        </Menu>
      </span>
    ),
  },
]

const eventsOf = ({ event_types }: WebhookEndpoint): string => event_types.map(eventInWords).join(', ')

function StateBadge({ endpoint: { is_enabled, disabled_reason, failing_since } }: { endpoint: WebhookEndpoint }) {
  if (is_enabled && failing_since) return <Badge tone="bad">{t`Failing`}</Badge>
  if (is_enabled) return <Badge tone="good">{t`On`}</Badge>
  if (disabled_reason === 'asked') return <Badge tone="quiet">{t`Off`}</Badge>
  return <Badge tone="bad">{t`Switched off after failures`}</Badge>
}
