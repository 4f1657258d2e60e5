import type { WebhookEndpoint, WebhookEventDelivery } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useWorkspaceId } from '../../../access/access.ts'
import { explain } from '../../../platform/errors.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Pager } from '../../../ui/controls/pager.tsx'
import { type Column, stretched, Table } from '../../../ui/data/table.tsx'
import { Time } from '../../../ui/data/time.tsx'
import { RefreshCw, Webhook } from '../../../ui/icons.ts'
import { ScrollBox } from '../../../ui/layout/scroll-box.tsx'
import { EmptyState } from '../../../ui/notices/empty-state.tsx'
import { Notice } from '../../../ui/notices/notice.tsx'
import { ReadProblem } from '../../../ui/notices/read-problem.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { DeliveryBadge } from '../delivery-badge.tsx'
import { Attempts } from '../delivery-view.tsx'
import { EVENTS_PER_PAGE, redeliverEvent, testEndpoint, useEvent, useEvents } from './endpoints.queries.ts'
import { eventInWords } from './event-words.ts'

/** Recent events of an endpoint, each with its attempts, and a test. */
export function EndpointView({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const workspaceId = useWorkspaceId()
  const [page, setPage] = useState(1)
  const [openId, setOpenId] = useState<string | null>(null)
  const { data, error, refetch, isPlaceholderData } = useEvents(endpoint.id, page)
  const testing = useMutation({ mutationFn: () => testEndpoint(workspaceId, endpoint.id) })
  return (
    <Dialog title={t`Recent events`} width="wide" onClose={onClose}>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <span className="min-w-0 truncate" dir="ltr">
          {endpoint.url}
        </span>
        <Button isBusy={testing.isPending} onClick={() => testing.mutate()}>
          <Trans>Send a test event</Trans>
        </Button>
      </div>
      {testing.error && <Notice className="mb-4">{explain(testing.error)}</Notice>}
      {error && <ReadProblem error={error} onRetry={refetch} />}
      {data?.total === 0 && (
        <EmptyState icon={Webhook} title={t`Nothing was sent yet`}>
          <Trans>Send a test event to see whether your receiver takes it.</Trans>
        </EmptyState>
      )}
      {data && data.total > 0 && (
        <>
          <Table
            label={t`Recent events`}
            columns={columns(setOpenId)}
            rows={data.deliveries}
            rowKey={({ id }) => id}
            isStale={isPlaceholderData}
          />
          <Pager page={page} pageSize={EVENTS_PER_PAGE} total={data.total} onPage={setPage} />
        </>
      )}
      {openId && <EventView endpointId={endpoint.id} id={openId} onClose={() => setOpenId(null)} />}
    </Dialog>
  )
}

const columns = (onOpen: (id: string) => void): Column<WebhookEventDelivery>[] => [
  {
    key: 'event',
    header: t`Event`,
    className: 'min-w-44',
    cell: ({ id, event_type, error_message }) => (
      <>
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={() => onOpen(id)}
          className={`${stretched} block text-start`}
        >
          {eventInWords(event_type)}
        </button>
        {error_message && <span className="line-clamp-2 text-sm text-muted">{error_message}</span>}
      </>
    ),
  },
  { key: 'status', header: t`State`, cell: ({ status }) => <DeliveryBadge status={status} /> },
  { key: 'attempts', header: t`Attempts`, isNumber: true, cell: ({ attempt_count }) => attempt_count },
  { key: 'created', header: t`When`, cell: ({ created_at }) => <Time iso={created_at} /> },
]

function EventView({ endpointId, id, onClose }: { endpointId: string; id: string; onClose: () => void }) {
  const { data, error } = useEvent(endpointId, id)
  const workspaceId = useWorkspaceId()
  const again = useMutation({ mutationFn: () => redeliverEvent(workspaceId, endpointId, id) })
  return (
    <Dialog title={data ? eventInWords(data.event_type) : t`Event`} width="wide" onClose={onClose}>
      {error && <Notice>{explain(error)}</Notice>}
      {data && (
        <>
          <DeliveryBadge status={data.status} />
          <ScrollBox
            label={t`What is sent`}
            className="mt-3 max-h-60 overflow-auto scroll-quiet rounded-control bg-canvas px-3 py-2"
          >
            <pre className="font-mono text-sm whitespace-pre-wrap wrap-anywhere" dir="ltr">
              {JSON.stringify(JSON.parse(data.body), null, 2)}
            </pre>
          </ScrollBox>
          <h3 className="mt-5 mb-2 font-medium">
            <Trans>Attempts</Trans>
          </h3>
          <Attempts attempts={data.attempts} />
          {again.error && <Notice className="mt-4">{explain(again.error)}</Notice>}
          <div className="mt-5 flex justify-end">
            <Button icon={RefreshCw} isBusy={again.isPending} onClick={() => again.mutate()}>
              <Trans>Send again now</Trans>
            </Button>
          </div>
        </>
      )}
    </Dialog>
  )
}
