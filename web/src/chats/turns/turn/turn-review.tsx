import type { Review } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { reviewInWords, useAgent } from '../../../agents/agents.ts'
import { formatExactTime } from '../../../platform/format.ts'
import { ReviewForm } from '../../../reviews/reviews.ts'
import { MessageCircleQuestion, ShieldCheck } from '../../../ui/icons.ts'
import { unawaited } from '../../../ui/unawaited.ts'
import { recheckReview, stop } from '../../answers/live-answers.ts'
import type { ChatPath } from '../../chats.queries.ts'
import { stopAnswer } from '../../composer/composer.tsx'
import { toolWords } from '../../steps/tool-labels.ts'

/**
 * Review that the answer waits for, shown inside it: the same answer continues after the decision, made here or
 * elsewhere.
 */
export function TurnReview({ path, review }: { path: ChatPath; review: Review }) {
  const { kind, tool_name, asked_by, expires_at } = review
  const { data: agent } = useAgent(asked_by)
  const isQuestion = kind === 'question'
  const Icon = isQuestion ? MessageCircleQuestion : ShieldCheck
  return (
    <section
      data-asks
      aria-label={t`Waits for you`}
      className="animate-rise rounded-card border border-accent/50 bg-accent-soft p-4"
    >
      <h3 className="flex items-center gap-2 font-semibold">
        <Icon size={17} className="shrink-0 text-accent" aria-hidden />
        <span>
          {agent?.name ?? t`The agent`}{' '}
          {isQuestion ? t`asks you` : t`asks before it continues: ${toolWords(tool_name).doing}`}
        </span>
      </h3>
      <p className="mt-1.5 mb-3 whitespace-pre-wrap wrap-anywhere">{reviewInWords(review)}</p>
      <ReviewForm review={review} onDecided={() => unawaited(recheckReview(path, review.message_id).catch(() => {}))} />
      <p className="mt-3 flex flex-wrap items-center gap-x-3 text-sm text-muted">
        <Trans>Waits until {formatExactTime(expires_at)}.</Trans>
        <button
          type="button"
          onClick={() => unawaited(stopAnswer(() => stop({ path, messageId: review.message_id })))}
          className="rounded-control underline underline-offset-2 hover:text-ink"
        >
          <Trans>Stop the answer instead</Trans>
        </button>
      </p>
    </section>
  )
}
