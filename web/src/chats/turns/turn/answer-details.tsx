import type { Message } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { docent } from '../../../access/access.ts'
import { explain } from '../../../platform/errors.ts'
import { formatDollars, formatDuration, formatExactTime, formatNumber } from '../../../platform/format.ts'
import { Spinner } from '../../../ui/controls/button.tsx'
import { Facts } from '../../../ui/data/facts.tsx'
import { Notice } from '../../../ui/notices/notice.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import type { ChatPath } from '../../chats.queries.ts'

interface AnswerDetailsProps {
  path: ChatPath
  message: Message
  onClose: () => void
}

/** Cost of an answer: its model, tokens, price and time. */
export function AnswerDetails({ path: { agentId, chatId }, message, onClose }: AnswerDetailsProps) {
  const { id, created_at, updated_at } = message
  const { data, error } = useQuery({
    queryKey: ['usage', id],
    queryFn: () => docent().chats.messages.get(agentId, chatId, id, { usage: true }),
  })
  const usage = data?.usage
  return (
    <Dialog title={t`Usage and cost of this answer`} onClose={onClose}>
      {error && <Notice>{explain(error)}</Notice>}
      {!data && !error && <Spinner label={t`Loading usage and cost`} />}
      {data && (
        <Facts
          facts={[
            [t`Asked`, formatExactTime(created_at)],
            [t`Model`, usage?.model],
            [t`Time`, formatDuration(Math.max(0, Date.parse(updated_at) - Date.parse(created_at)))],
            [
              t`Tokens read`,
              usage && `${formatNumber(usage.input_tokens)} (${formatNumber(usage.cached_input_tokens)} cached)`,
            ],
            [
              t`Tokens written`,
              usage && `${formatNumber(usage.output_tokens)} (${formatNumber(usage.reasoning_tokens)} thoughts)`,
            ],
            [
              t`Cost`,
              usage && (usage.cost_usd === null ? t`No price is known for this model` : formatDollars(usage.cost_usd)),
            ],
          ]}
        />
      )}
    </Dialog>
  )
}
