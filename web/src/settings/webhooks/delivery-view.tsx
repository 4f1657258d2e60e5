import type { WebhookAttempt } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useWorkspaceId } from '../../access/access.ts'
import { explain } from '../../platform/errors.ts'
import { formatDuration, formatExactTime } from '../../platform/format.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Facts } from '../../ui/data/facts.tsx'
import { RefreshCw } from '../../ui/icons.ts'
import { ScrollBox } from '../../ui/layout/scroll-box.tsx'
import { Badge } from '../../ui/notices/badge.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { DeliveryBadge } from './delivery-badge.tsx'
import { redeliver, useDelivery } from './webhooks.queries.ts'

/** Delivery with all its attempts and the receiver's responses. */
export function DeliveryView({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error } = useDelivery(id)
  const workspaceId = useWorkspaceId()
  const again = useMutation({ mutationFn: () => redeliver(workspaceId, id) })
  const isOnItsWay = data?.status === 'waiting' || data?.status === 'pending'
  return (
    <Dialog title={t`Delivery`} width="wide" onClose={onClose}>
      {error && <Notice>{explain(error)}</Notice>}
      {data && (
        <>
          <Facts
            facts={[
              [t`To`, data.url],
              [t`State`, <DeliveryBadge key="state" status={data.status} />],
              [t`Why`, data.error_message],
              [t`Next attempt`, isOnItsWay && data.next_attempt_at && formatExactTime(data.next_attempt_at)],
              ['webhook-id', <code key="id">{data.id}</code>],
              [t`Message`, <code key="message">{data.message_id}</code>],
            ]}
          />
          <h3 className="mt-5 mb-2 font-medium">
            <Trans>Attempts</Trans>
          </h3>
          {data.attempts.length === 0 ? (
            <p className="text-muted">
              {data.status === 'waiting'
                ? t`The agent is still answering.`
                : t`None yet: the first one is about to be made.`}
            </p>
          ) : (
            <Attempts attempts={data.attempts} />
          )}
          {again.error && <Notice className="mt-4">{explain(again.error)}</Notice>}
          <div className="mt-5 flex items-center justify-end gap-3">
            {data.status === 'delivered' && (
              <p className="text-sm text-muted">
                <Trans>The receiver recognizes repeats by the webhook-id.</Trans>
              </p>
            )}
            <Button
              icon={RefreshCw}
              disabled={data.status === 'waiting'}
              isBusy={again.isPending}
              onClick={() => again.mutate()}
            >
              <Trans>Send again now</Trans>
            </Button>
          </div>
        </>
      )}
    </Dialog>
  )
}

/** Attempts of a delivery, the last one first. */
export const Attempts = ({ attempts }: { attempts: WebhookAttempt[] }) => (
  <ol className="space-y-2">
    {attempts.toReversed().map((attempt) => (
      <Attempt key={attempt.number} attempt={attempt} />
    ))}
  </ol>
)

const Attempt = ({
  attempt: { number, started_at, duration_ms, status, reply, error },
}: {
  attempt: WebhookAttempt
}) => {
  const isGood = status !== null && status >= 200 && status < 300
  return (
    <li className="rounded-control border border-line px-3 py-2">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <Badge tone={isGood ? 'good' : 'bad'}>
          {number}. {status === null ? t`No answer` : t`Status ${status}`}
        </Badge>
        <span className="text-sm text-muted">
          {formatExactTime(started_at)}, {formatDuration(duration_ms)}
        </span>
      </div>
      {error && <p className="mt-1 text-sm wrap-anywhere">{error}</p>}
      {reply && (
        <ScrollBox
          label={t`Reply of the receiver to attempt ${number}`}
          className="mt-2 max-h-40 overflow-auto scroll-quiet rounded-control bg-canvas px-3 py-2"
        >
          <pre className="font-mono text-sm whitespace-pre-wrap wrap-anywhere">{reply}</pre>
        </ScrollBox>
      )}
    </li>
  )
}
