import type { WebhookDelivery } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { Pager } from '../../ui/controls/pager.tsx'
import { type Column, stretched, Table } from '../../ui/data/table.tsx'
import { Time } from '../../ui/data/time.tsx'
import { Select } from '../../ui/fields/choice.tsx'
import { Webhook } from '../../ui/icons.ts'
import { EmptyState } from '../../ui/notices/empty-state.tsx'
import { ReadProblem } from '../../ui/notices/read-problem.tsx'
import { SettingSection } from '../setting-section.tsx'
import { DeliveryBadge, deliveryStatuses } from './delivery-badge.tsx'
import { DeliveryView } from './delivery-view.tsx'
import { DELIVERIES_PER_PAGE, type DeliveryStatus, useDeliveries } from './webhooks.queries.ts'

/** Webhook deliveries and their outcomes. */
export function DeliveryList() {
  const [status, setStatus] = useState<DeliveryStatus>()
  const [page, setPage] = useState(1)
  const { data, error, refetch, isPlaceholderData } = useDeliveries(status, page)
  const [openId, setOpenId] = useState<string | null>(null)
  return (
    <SettingSection
      title={t`Deliveries`}
      about={t`Answers to questions asked with a webhook_url. A failed delivery is retried for about three days; you can send it again at any time.`}
      actions={
        <Select
          aria-label={t`Status`}
          value={status ?? ''}
          onChange={({ target }) => {
            setStatus((target.value || undefined) as DeliveryStatus | undefined)
            setPage(1)
          }}
        >
          <option value="">{t`All`}</option>
          {Object.entries(deliveryStatuses()).map(([value, { name }]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </Select>
      }
    >
      {error && <ReadProblem error={error} onRetry={refetch} />}
      {data?.deliveries.length === 0 ? (
        <EmptyState icon={Webhook} title={status ? t`None of these` : t`Nothing was sent yet`}>
          {status
            ? t`No delivery is in this state.`
            : t`Ask with POST …/async_query and a webhook_url: the answer is sent there, and shows up here.`}
        </EmptyState>
      ) : (
        data && (
          <>
            <Table
              label={t`Deliveries`}
              columns={columns(setOpenId)}
              rows={data.deliveries}
              rowKey={({ id }) => id}
              isStale={isPlaceholderData}
            />
            <Pager page={page} pageSize={DELIVERIES_PER_PAGE} total={data.total} onPage={setPage} />
          </>
        )
      )}
      {openId && <DeliveryView id={openId} onClose={() => setOpenId(null)} />}
    </SettingSection>
  )
}

const columns = (onOpen: (id: string) => void): Column<WebhookDelivery>[] => [
  {
    key: 'url',
    header: t`To`,
    className: 'min-w-52',
    cell: ({ id, url, error_message }) => (
      <>
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={() => onOpen(id)}
          className={`${stretched} block max-w-80 truncate text-start`}
        >
          {url}
        </button>
        {error_message && <span className="line-clamp-2 text-sm text-muted">{error_message}</span>}
      </>
    ),
  },
  { key: 'status', header: t`State`, cell: ({ status }) => <DeliveryBadge status={status} /> },
  { key: 'attempts', header: t`Attempts`, isNumber: true, cell: ({ attempt_count }) => attempt_count },
  {
    key: 'next',
    header: t`Next, or done`,
    cell: ({ next_attempt_at, delivered_at, updated_at, status }) => {
      if (status === 'waiting') return '–'
      if (status === 'pending' && next_attempt_at) return <Time iso={next_attempt_at} isDue />
      return <Time iso={delivered_at ?? updated_at} />
    },
  },
  { key: 'created', header: t`Asked`, cell: ({ created_at }) => <Time iso={created_at} /> },
]
