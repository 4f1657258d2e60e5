import type { Message } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { CitedAnswer } from '../../chats/chats.ts'
import { formatExactTime } from '../../platform/format.ts'
import { withMessages } from '../../platform/language.ts'
import { ThumbsDown, ThumbsUp } from '../../ui/icons.ts'
import { later } from '../../ui/later.tsx'
import { Fold } from '../../ui/layout/fold.tsx'
import { Badge } from '../../ui/notices/badge.tsx'

const RunDetails = later(async () => (await withMessages('run', () => import('../run.pages.ts'))).RunDetails)

interface ThreadTurnProps {
  message: Message
  onOpenSource: (index: number) => void
}

/** Question and answer, for reading. */
export function ThreadTurn({ message, onOpenSource }: ThreadTurnProps) {
  const { query, ai_resolution_status, created_at, feedback } = message
  const isRunning = ai_resolution_status !== 'completed'
  return (
    <article className="space-y-3">
      <div className="rounded-card bg-canvas px-4 py-3">
        <p className="mb-1 text-sm text-muted">
          <time dateTime={created_at}>{formatExactTime(created_at)}</time>
        </p>
        <h2 dir="auto" className="font-medium whitespace-pre-wrap wrap-anywhere">
          {query}
        </h2>
      </div>
      {isRunning && (
        <Badge tone="busy">{ai_resolution_status === 'waiting' ? t`Waits for a person` : t`Being answered`}</Badge>
      )}
      <CitedAnswer message={message} isPending={isRunning} onOpenSource={onOpenSource} />
      {feedback && (
        <p className="flex items-start gap-2">
          {feedback.rating === 'up' ? (
            <ThumbsUp size={16} className="mt-1 shrink-0 text-good" aria-label={t`Liked`} />
          ) : (
            <ThumbsDown size={16} className="mt-1 shrink-0 text-bad" aria-label={t`Not liked`} />
          )}
          {feedback.comment ? (
            <q dir="auto" className="wrap-anywhere">
              {feedback.comment}
            </q>
          ) : (
            <span className="text-muted">{feedback.rating === 'up' ? t`Liked` : t`Not liked`}</span>
          )}
        </p>
      )}
      <Fold summary={t`Run details`} className="text-sm">
        <RunDetails message={message} />
      </Fold>
    </article>
  )
}
