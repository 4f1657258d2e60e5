import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect } from 'react'
import { shorten } from '../../platform/format.ts'
import { Spinner } from '../../ui/controls/button.tsx'
import { Pin } from '../../ui/icons.ts'
import { plainText } from '../../ui/markdown/plain-text.ts'
import { EmptyState } from '../../ui/notices/empty-state.tsx'
import { ReadProblem } from '../../ui/notices/read-problem.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { unawaited } from '../../ui/unawaited.ts'
import { type ChatPath, useMessages } from '../chats.queries.ts'
import { showTurn } from '../turns/shown-turn.ts'

const EXCERPT = 200

/** Pinned answers of a chat, oldest first. All of its questions are read for it. */
export function PinsDialog({ path, onClose }: { path: ChatPath; onClose: () => void }) {
  const { data: messages, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useMessages(path)
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && !error) unawaited(fetchNextPage())
  }, [hasNextPage, isFetchingNextPage, error, fetchNextPage])
  const pinned = messages?.filter(({ is_pinned }) => is_pinned) ?? []
  const isReading = !error && (hasNextPage || !messages)
  return (
    <Dialog title={t`Pinned answers`} width="wide" onClose={onClose}>
      {error && <ReadProblem error={error} onRetry={refetch} />}
      <ul aria-label={t`Pinned answers`} className="-mx-2 max-h-[60dvh] overflow-y-auto scroll-quiet">
        {pinned.map(({ id, query, response }) => (
          <li key={id}>
            <button
              type="button"
              onClick={() => {
                onClose()
                showTurn(id)
              }}
              className="block w-full rounded-control px-2 py-2 text-start hover:bg-hover"
            >
              <span dir="auto" className="block truncate font-medium">
                {query}
              </span>
              <span dir="auto" className="line-clamp-2 text-sm text-muted wrap-anywhere">
                {shorten(plainText(response), EXCERPT)}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {isReading && <Spinner label={t`Reading the chat`} />}
      {!isReading && !error && pinned.length === 0 && (
        <EmptyState icon={Pin} title={t`Nothing is pinned yet`}>
          <Trans>The pin below an answer keeps it in this list.</Trans>
        </EmptyState>
      )}
    </Dialog>
  )
}
