import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { buttonClass } from '../ui/controls/button.tsx'
import { Pager } from '../ui/controls/pager.tsx'
import { Select } from '../ui/fields/choice.tsx'
import { Inbox } from '../ui/icons.ts'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { EmptyState } from '../ui/notices/empty-state.tsx'
import { ReadProblem } from '../ui/notices/read-problem.tsx'
import { ReviewCard, STATUSES } from './review-card.tsx'
import { REVIEWS_PER_PAGE, type ReviewStatus, useReviews } from './reviews.queries.ts'

/** Inbox: requests of agents that wait for a person's decision. */
export function InboxPage() {
  const [status, setStatus] = useState<ReviewStatus | undefined>('pending')
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useReviews(status, page)
  const choice = (
    <Select
      aria-label={t`State`}
      value={status ?? ''}
      onChange={({ target }) => {
        setStatus((target.value || undefined) as ReviewStatus | undefined)
        setPage(1)
      }}
    >
      {Object.entries(STATUSES).map(([value, { name }]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
      <option value="">{t`All`}</option>
    </Select>
  )
  return (
    <>
      <PageHeader title={t`Inbox`} actions={choice} />
      <div className="min-h-0 flex-1 overflow-y-auto scroll-quiet">
        <div className="mx-auto max-w-3xl p-4 sm:p-6">
          {error && <ReadProblem error={error} onRetry={refetch} />}
          {data?.reviews.length === 0 && (
            <EmptyState
              icon={Inbox}
              title={status === 'pending' ? t`Nothing waits for you` : t`Nothing here`}
              action={
                status === 'pending' && (
                  <Link to="/agents" className={buttonClass('primary')}>
                    <Trans>To the agents</Trans>
                  </Link>
                )
              }
            >
              {status === 'pending'
                ? t`When an agent asks something, or wants to use a tool that needs approval, it waits here until somebody decides.`
                : t`No review is in this state.`}
            </EmptyState>
          )}
          <ul className="space-y-4" aria-live={status === 'pending' ? 'polite' : undefined}>
            {data?.reviews.map((review) => (
              <li key={review.id}>
                <ReviewCard review={review} />
              </li>
            ))}
          </ul>
          {data && <Pager page={page} pageSize={REVIEWS_PER_PAGE} total={data.total} onPage={setPage} />}
        </div>
      </div>
    </>
  )
}
