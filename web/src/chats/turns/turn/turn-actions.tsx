import type { Message } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { lazy, Suspense, useState } from 'react'
import { isVisitor } from '../../../access/access.ts'
import { useVoiceChoice } from '../../../platform/voice.ts'
import { cx } from '../../../ui/class-names.ts'
import { IconButton } from '../../../ui/controls/button.tsx'
import { copyText } from '../../../ui/controls/copy-text.ts'
import {
  Copy,
  Ellipsis,
  Info,
  Pencil,
  Pin,
  PinOff,
  RefreshCw,
  ThumbsDown,
  ThumbsUp,
  Trash2,
} from '../../../ui/icons.ts'
import { ConfirmDialog } from '../../../ui/overlays/ask-dialogs.tsx'
import { Menu, MenuItem } from '../../../ui/overlays/menu.tsx'
import { toast } from '../../../ui/overlays/toasts.tsx'
import { unawaited } from '../../../ui/unawaited.ts'
import type { ChatPath } from '../../chats.queries.ts'
import { loadRareParts } from '../../load-rare-parts.ts'
import { ReadAloudButton } from '../../voice/later-voice.ts'
import { pin, rate, removeMessage } from '../message-changes.ts'

// Most answers need none of them: the first load is without.
const AnswerComment = lazy(async () => ({ default: (await loadRareParts()).AnswerComment }))
const AnswerDetails = lazy(async () => ({ default: (await loadRareParts()).AnswerDetails }))
const Versions = lazy(async () => ({ default: (await loadRareParts()).Versions }))
const TryAgainWith = lazy(async () => ({ default: (await import('../../models/try-again-with.tsx')).TryAgainWith }))

interface TurnActionsProps {
  path: ChatPath
  message: Message
  onEdit?: () => void
  /** @param model another one than it was asked with; null: that of the agent */
  onAskAgain?: (model?: string | null) => void
  /** Whether an answer of the chat is coming. */
  isBusy?: boolean
}

/** Actions on an answer. */
export function TurnActions({ path, message, onEdit, onAskAgain, isBusy = false }: TurnActionsProps) {
  const [open, setOpen] = useState<'details' | 'delete' | 'comment' | null>(null)
  const { response, is_pinned, feedback } = message
  const { reads } = useVoiceChoice()
  const close = () => setOpen(null)
  const vote = (rating: 'up' | 'down') => {
    const isSame = feedback?.rating === rating
    unawaited(rate(path, message, isSame ? null : { rating, comment: null }))
    setOpen(isSame ? null : 'comment')
  }
  return (
    <div className="space-y-2">
      <div className="-ms-1.5 flex flex-wrap items-center">
        {message.versions && !isVisitor() && (
          <Suspense>
            <Versions path={path} message={message} versions={message.versions} isBusy={isBusy} />
          </Suspense>
        )}
        {response && (
          <IconButton
            label={t`Copy the answer`}
            icon={Copy}
            onClick={async () => (await copyText(response)) && toast(t`The answer was copied`)}
          />
        )}
        {response && reads && <ReadAloudButton id={message.id} text={response} />}
        <IconButton
          label={t`Good answer`}
          icon={ThumbsUp}
          aria-pressed={feedback?.rating === 'up'}
          className={cx(feedback?.rating === 'up' && '!text-good')}
          onClick={() => vote('up')}
        />
        <IconButton
          label={t`Bad answer`}
          icon={ThumbsDown}
          aria-pressed={feedback?.rating === 'down'}
          className={cx(feedback?.rating === 'down' && '!text-bad')}
          onClick={() => vote('down')}
        />
        {!isVisitor() && (
          <IconButton
            label={is_pinned ? t`Unpin` : t`Pin`}
            icon={is_pinned ? PinOff : Pin}
            className={cx(is_pinned && '!text-accent')}
            onClick={() => unawaited(pin(path, message, !is_pinned))}
          />
        )}
        {onAskAgain && <IconButton label={t`Answer again`} icon={RefreshCw} onClick={() => onAskAgain()} />}
        {onAskAgain && !isVisitor() && (
          <Suspense>
            <TryAgainWith agentId={path.agentId} model={message.asked_model ?? null} onChoose={onAskAgain} />
          </Suspense>
        )}
        {!isVisitor() && (
          <Menu
            label={t`More actions for this answer`}
            align="start"
            trigger={(props) => <IconButton {...props} label={t`More actions for this answer`} icon={Ellipsis} />}
          >
            {onEdit && (
              <MenuItem icon={Pencil} onSelect={onEdit}>
                <Trans>Edit the question</Trans>
              </MenuItem>
            )}
            <MenuItem icon={Info} onSelect={() => setOpen('details')}>
              <Trans>Usage and cost…</Trans>
            </MenuItem>
            <MenuItem icon={Trash2} isDangerous onSelect={() => setOpen('delete')}>
              <Trans>Delete…</Trans>
            </MenuItem>
          </Menu>
        )}
      </div>
      {open === 'comment' && feedback && (
        <Suspense>
          <AnswerComment
            isGood={feedback.rating === 'up'}
            onCancel={close}
            onSend={(comment) => {
              unawaited(rate(path, message, { ...feedback, comment }))
              close()
              toast(t`Thank you: your comment was saved`)
            }}
          />
        </Suspense>
      )}
      {open === 'details' && (
        <Suspense>
          <AnswerDetails path={path} message={message} onClose={close} />
        </Suspense>
      )}
      {open === 'delete' && (
        <ConfirmDialog
          title={t`Delete this question?`}
          confirm={t`Delete`}
          act={() => removeMessage(path, message)}
          onClose={close}
        >
          <Trans>It is deleted with its answer, for good, and the agent forgets both.</Trans>
        </ConfirmDialog>
      )}
    </div>
  )
}
