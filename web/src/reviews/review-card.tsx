import type { Review } from '@docent/sdk'
import { Link } from '@tanstack/react-router'
import { reviewInWords, useAgent } from '../agents/agents.ts'
import { Time } from '../ui/data/time.tsx'
import { Badge } from '../ui/notices/badge.tsx'
import { ReviewArguments } from './review-arguments.tsx'
import { ReviewForm } from './review-form.tsx'
import type { ReviewStatus } from './reviews.queries.ts'

export const STATUSES: Record<ReviewStatus, { name: string; tone: 'good' | 'bad' | 'busy' | 'quiet' }> = {
  pending: { name: 'Waiting', tone: 'busy' },
  approved: { name: 'Approved', tone: 'good' },
  rejected: { name: 'Rejected', tone: 'bad' },
  answered: { name: 'Answered', tone: 'good' },
  expired: { name: 'Nobody decided in time', tone: 'quiet' },
  cancelled: { name: 'The run was cancelled', tone: 'quiet' },
}

/** Request of an agent, with what is needed to decide. */
export function ReviewCard({ review }: { review: Review }) {
  const { kind, status, asked_by, agent_id, chat_id, note, created_at, decided_at, expires_at } = review
  const { data: agent } = useAgent(asked_by)
  const isOpen = status === 'pending'
  return (
    <article className="space-y-3 rounded-card border border-line p-4 sm:p-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="text-base font-semibold">
          {agent?.name ?? 'An agent'} {kind === 'question' ? 'asks' : 'asks first'}
        </h2>
        <Badge tone={STATUSES[status].tone}>{STATUSES[status].name}</Badge>
      </div>
      <p className="max-w-[75ch] whitespace-pre-wrap wrap-anywhere">{reviewInWords(review)}</p>
      {!isOpen && kind === 'approval' && review.arguments && <ReviewArguments given={review.arguments} />}
      {review.changed_arguments && (
        <>
          <p>Allowed with these instead:</p>
          <ReviewArguments given={review.changed_arguments} />
        </>
      )}
      {isOpen ? <ReviewForm review={review} /> : note && <p className="border-s-2 border-line ps-3">{note}</p>}
      <p className="text-sm text-muted">
        Asked <Time iso={created_at} />
        {isOpen ? (
          <>
            , expires <Time iso={expires_at} isDue /> if nobody decides.
          </>
        ) : (
          decided_at && (
            <>
              , decided <Time iso={decided_at} />
            </>
          )
        )}{' '}
        <Link
          to="/chat/$agentId/$chatId"
          params={{ agentId: agent_id, chatId: chat_id }}
          className="text-accent underline underline-offset-2"
        >
          Open the chat
        </Link>
      </p>
    </article>
  )
}
