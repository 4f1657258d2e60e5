import type { Message } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { groupSteps, type Step, type StepGroup, Steps, type ToolStep } from '../../chats/chats.ts'
import { explain } from '../../platform/errors.ts'
import { formatDollars, formatDuration, formatNumber } from '../../platform/format.ts'
import { formatLocation } from '../../platform/format-location.ts'
import { DeliveryBadge } from '../../settings/settings.ts'
import { Facts } from '../../ui/data/facts.tsx'
import { Time } from '../../ui/data/time.tsx'
import { ScrollBox } from '../../ui/layout/scroll-box.tsx'
import { useSteps } from '../threads.queries.ts'
import { AnswerRights } from './answer-rights.tsx'
import { useMessageDeliveries } from './deliveries.queries.ts'
import { GivenPassages } from './given-passages.tsx'

/** Tool calls of a run, with those of sub-agents inside. */
const callsIn = (steps: Step[]): [ToolStep, ...Step[]][] =>
  groupSteps(steps).flatMap(({ step, inner }) =>
    step.kind === 'tool' ? [[step, ...inner.flatMap(flat)] satisfies [ToolStep, ...Step[]]] : [],
  )

const flat = ({ step, inner }: StepGroup): Step[] => [step, ...inner.flatMap(flat)]

/** Cost and steps of a run. */
export function RunDetails({ message }: { message: Message }) {
  const { id, agent_id, chat_id, usage, created_at, updated_at, citations, reasoning } = message
  const isDone = message.ai_resolution_status === 'completed'
  const { data: steps = [], error } = useSteps(agent_id, chat_id, id)
  const calls = callsIn(steps)
  const { data: sent } = useMessageDeliveries(id)
  return (
    <div className="mt-2 space-y-4 rounded-card border border-line p-4">
      <Facts
        facts={[
          [t`Model`, usage?.model],
          [t`Took`, isDone ? formatDuration(Date.parse(updated_at) - Date.parse(created_at)) : null],
          [
            t`Tokens read`,
            usage
              ? t`${formatNumber(usage.input_tokens)}, ${formatNumber(usage.cached_input_tokens)} of them cached`
              : null,
          ],
          [
            t`Tokens written`,
            usage
              ? t`${formatNumber(usage.output_tokens)}, ${formatNumber(usage.reasoning_tokens)} of them thoughts`
              : null,
          ],
          [t`Cost`, usage?.cost_usd != null ? formatDollars(usage.cost_usd) : null],
          [t`Message`, <code key="id">{id}</code>],
        ]}
      />
      <AnswerRights message={message} />
      {error && <p className="text-bad">{explain(error)}</p>}
      {calls.length > 0 && (
        <section>
          <h3 className="mb-1 font-medium">
            <Trans>Searches and other tools</Trans>
          </h3>
          <ol className="space-y-1">
            {calls.map(([call, ...within], index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the calls of a run that ended never change places.
              <li key={index} className="grid grid-cols-[5.5rem_minmax(0,1fr)] gap-2">
                <span
                  className="py-0.5 text-muted tabular-nums pointer-coarse:py-2"
                  title={
                    call.startedMs === undefined
                      ? undefined
                      : t`Began ${formatDuration(call.startedMs)} after the question`
                  }
                >
                  {call.startedMs === undefined || call.endedMs === undefined
                    ? '–'
                    : formatDuration(call.endedMs - call.startedMs)}
                </span>
                <Steps steps={[call, ...within]} />
              </li>
            ))}
          </ol>
        </section>
      )}
      {reasoning && (
        <section>
          <h3 className="mb-1 font-medium">
            <Trans>Thoughts</Trans>
          </h3>
          <p className="whitespace-pre-wrap text-muted wrap-anywhere">{reasoning}</p>
        </section>
      )}
      <GivenPassages message={message} />
      {citations.length > 0 && (
        <section>
          <h3 className="mb-1 font-medium">
            <Trans>Passages that it cites</Trans>
          </h3>
          <ol className="space-y-2">
            {citations.map(({ index, title, location, text }) => (
              <li key={index}>
                <p>
                  [{index}] {title}
                  {formatLocation(location) && <span className="text-muted"> · {formatLocation(location)}</span>}
                </p>
                <ScrollBox label={t`Passage ${index}`} className="max-h-32 rounded-control bg-canvas px-3 py-2">
                  <p className="whitespace-pre-wrap text-muted wrap-anywhere">{text}</p>
                </ScrollBox>
              </li>
            ))}
          </ol>
        </section>
      )}
      {sent && sent.deliveries.length > 0 && (
        <section>
          <h3 className="mb-1 font-medium">
            <Trans>Webhooks</Trans>
          </h3>
          <ul className="space-y-1">
            {sent.deliveries.map(({ id: deliveryId, url, status, attempt_count, updated_at: at }) => (
              <li key={deliveryId} className="flex flex-wrap gap-x-3">
                <span className="wrap-anywhere">{url}</span>
                <DeliveryBadge status={status} />
                <span className="text-muted">
                  <Trans>{attempt_count} tried,</Trans> <Time iso={at} />
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}
