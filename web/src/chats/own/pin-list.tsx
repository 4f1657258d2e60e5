import type { PinnedMessage } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { explain } from '../../platform/errors.ts'
import { formatTime, shorten } from '../../platform/format.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Pin } from '../../ui/icons.ts'
import { plainText } from '../../ui/markdown/plain-text.ts'
import { EmptyState } from '../../ui/notices/empty-state.tsx'
import { ReadProblem } from '../../ui/notices/read-problem.tsx'
import { toast } from '../../ui/overlays/toasts.tsx'
import { showBranch } from '../chats.queries.ts'
import { ChatButton } from './chat-button.tsx'
import { usePinnedMessages } from './own-chats.queries.ts'

const EXCERPT = 240

/** Pinned answers of all own chats; each opens its chat at its place. */
export function PinList() {
  const { data: pins, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = usePinnedMessages()
  if (error) return <ReadProblem error={error} onRetry={refetch} />
  if (pins?.length === 0)
    return (
      <EmptyState icon={Pin} title={t`Nothing is pinned yet`} action={<ChatButton />}>
        <Trans>The pin below an answer keeps it in this list.</Trans>
      </EmptyState>
    )
  return (
    <div className="mx-auto max-w-3xl">
      <ul aria-label={t`Pinned answers`} className="space-y-3">
        {pins?.map((pin) => (
          <PinRow key={pin.message_id} pin={pin} />
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

function PinRow({ pin }: { pin: PinnedMessage }) {
  const navigate = useNavigate()
  async function open() {
    const params = { agentId: pin.agent_id, chatId: pin.chat_id }
    try {
      if (!pin.is_shown) await showBranch(params, pin.message_id)
      await navigate({ to: '/chat/$agentId/$chatId', params, search: { message: pin.message_id } })
    } catch (error) {
      toast(explain(error), { isError: true })
    }
  }
  return (
    <li>
      <button
        type="button"
        onClick={open}
        className="block w-full rounded-card border border-line bg-raised p-4 text-start transition-colors hover:border-line-strong"
      >
        <span className="flex items-baseline gap-3">
          <span dir="auto" className="min-w-0 flex-1 truncate text-start font-medium">
            {pin.query}
          </span>
          <span className="shrink-0 text-sm text-muted">{formatTime(pin.created_at)}</span>
        </span>
        <span dir="auto" className="mt-1 line-clamp-3 text-start wrap-anywhere">
          {shorten(plainText(pin.response), EXCERPT)}
        </span>
        {pin.title !== pin.query && (
          <span dir="auto" className="mt-2 block truncate text-start text-sm text-muted">
            {pin.title}
          </span>
        )}
      </button>
    </li>
  )
}
