import type { Review } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { reviewInWords, useAgent } from '../agents/agents.ts'
import { Time } from '../ui/data/time.tsx'
import { Badge } from '../ui/notices/badge.tsx'
import { ReviewArguments } from './review-arguments.tsx'
import { ReviewForm } from './review-form.tsx'
import type { ReviewStatus } from './reviews.queries.ts'

export const STATUSES: Record<ReviewStatus, { name: string; tone: 'good' | 'bad' | 'busy' | 'quiet' }> = {
  pending: { name: t`Waiting`, tone: 'busy' },
  approved: { name: t`Approved`, tone: 'good' },
  rejected: { name: t`Rejected`, tone: 'bad' },
  answered: { name: t`Answered`, tone: 'good' },
  expired: { name: t`Nobody decided in time`, tone: 'quiet' },
  cancelled: { name: t`The run was cancelled`, tone: 'quiet' },
}

/** Request of an agent, with what is needed to decide. */
export function ReviewCard({ review }: { review: Review }) {
  const { kind, status, asked_by, agent_id, chat_id, note, created_at, decided_at, expires_at } = review
  const { data: agent } = useAgent(asked_by)
  const asker = agent?.name ?? t`An agent`
  const isOpen = status === 'pending'
  return (
    <article className="space-y-3 rounded-card border border-line p-4 sm:p-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="text-base font-semibold">{kind === 'question' ? t`${asker} asks` : t`${asker} asks first`}</h2>
        <Badge tone={STATUSES[status].tone}>{STATUSES[status].name}</Badge>
      </div>
      <p dir="auto" className="max-w-[75ch] text-start whitespace-pre-wrap wrap-anywhere">
        {reviewInWords(review)}
      </p>
      {!isOpen && kind === 'approval' && review.arguments && <ReviewArguments given={review.arguments} />}
      {review.changed_arguments && (
        <>
          <p>
            <Trans>Allowed with these instead:</Trans>
          </p>
          <ReviewArguments given={review.changed_arguments} />
        </>
      )}
      {isOpen ? (
        <ReviewForm review={review} />
      ) : (
        note && (
          <p dir="auto" className="border-s-2 border-line ps-3 text-start">
            {note}
          </p>
        )
      )}
      <p className="text-sm text-muted">
        <Trans>
          Asked <Time iso={created_at} />
        </Trans>
        {isOpen && (
          <Trans>
            , expires <Time iso={expires_at} isDue /> if nobody decides.
          </Trans>
        )}
        {!isOpen && decided_at && (
          <Trans>
            , decided <Time iso={decided_at} />
          </Trans>
        )}{' '}
        <Link
          to="/chat/$agentId/$chatId"
          params={{ agentId: agent_id, chatId: chat_id }}
          className="text-accent underline underline-offset-2"
        >
          <Trans>Open the chat</Trans>
        </Link>
      </p>
    </article>
  )
}
