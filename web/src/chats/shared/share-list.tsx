import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { explain } from '../../platform/errors.ts'
import { formatTime } from '../../platform/format.ts'
import { Button } from '../../ui/controls/button.tsx'
import { CopyButton } from '../../ui/controls/copy-button.tsx'
import { Share2 } from '../../ui/icons.ts'
import { EmptyState } from '../../ui/notices/empty-state.tsx'
import { ReadProblem } from '../../ui/notices/read-problem.tsx'
import { toast } from '../../ui/overlays/toasts.tsx'
import { ChatButton } from '../own/chat-button.tsx'
import { stopSharing, useShares } from './shared-chats.queries.ts'

/** Chats that the person shares, with their links. */
export function ShareList() {
  const { data: shares, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useShares()
  if (error) return <ReadProblem error={error} onRetry={refetch} />
  if (shares?.length === 0)
    return (
      <EmptyState icon={Share2} title={t`You share no chat`} action={<ChatButton />}>
        <Trans>The menu of a chat has “Share…”.</Trans>
      </EmptyState>
    )
  async function stop(id: string) {
    try {
      await stopSharing(id)
    } catch (error) {
      toast(explain(error), { isError: true })
    }
  }
  return (
    <div className="mx-auto max-w-3xl">
      <ul aria-label={t`Shared chats`} className="space-y-3">
        {shares?.map(({ id, url, title, created_at }) => (
          <li key={id} className="flex flex-wrap items-center gap-2 rounded-card border border-line bg-raised p-3 ps-4">
            <Link to="/shared-chats/$shareId" params={{ shareId: id }} className="min-w-40 flex-1 hover:underline">
              <span dir="auto" className="block truncate text-start font-medium">
                {title}
              </span>
              <span className="text-sm text-muted">{formatTime(created_at)}</span>
            </Link>
            <CopyButton text={url} label={t`Copy the link`} />
            <Button onClick={() => stop(id)}>
              <Trans>Stop sharing</Trans>
            </Button>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button className="mt-3" isBusy={isFetchingNextPage} onClick={() => fetchNextPage()}>
          <Trans>Show more</Trans>
        </Button>
      )}
    </div>
  )
}
