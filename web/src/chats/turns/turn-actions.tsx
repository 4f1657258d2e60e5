import type { Message } from '@docent/sdk'
import { useState } from 'react'
import { isVisitor } from '../../access/access.ts'
import { cx } from '../../ui/class-names.ts'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import { copyText } from '../../ui/controls/copy-text.ts'
import { Textarea } from '../../ui/fields/field.tsx'
import { Copy, Ellipsis, Info, Pencil, Pin, PinOff, RefreshCw, ThumbsDown, ThumbsUp, Trash2 } from '../../ui/icons.ts'
import { ConfirmDialog } from '../../ui/overlays/ask-dialogs.tsx'
import { Menu, MenuItem } from '../../ui/overlays/menu.tsx'
import { toast } from '../../ui/overlays/toasts.tsx'
import { unawaited } from '../../ui/unawaited.ts'
import type { ChatPath } from '../chats.queries.ts'
import { AnswerDetails } from './answer-details.tsx'
import { pin, rate, removeMessage } from './message-changes.ts'

interface TurnActionsProps {
  path: ChatPath
  message: Message
  /** Present for the last question only: answers below it would lose their context. */
  onEdit?: () => void
  onAskAgain?: () => void
}

/** Actions on an answer. */
export function TurnActions({ path, message, onEdit, onAskAgain }: TurnActionsProps) {
  const [open, setOpen] = useState<'details' | 'delete' | 'comment' | null>(null)
  const { response, is_pinned, feedback } = message
  const close = () => setOpen(null)
  const vote = (rating: 'up' | 'down') => {
    const isSame = feedback?.rating === rating
    unawaited(rate(path, message, isSame ? null : { rating, comment: null }))
    setOpen(isSame ? null : 'comment')
  }
  return (
    <div className="space-y-2">
      <div className="-ml-1.5 flex flex-wrap items-center">
        {response && (
          <IconButton
            label="Copy the answer"
            icon={Copy}
            onClick={async () => (await copyText(response)) && toast('The answer was copied')}
          />
        )}
        <IconButton
          label="Good answer"
          icon={ThumbsUp}
          aria-pressed={feedback?.rating === 'up'}
          className={cx(feedback?.rating === 'up' && '!text-good')}
          onClick={() => vote('up')}
        />
        <IconButton
          label="Bad answer"
          icon={ThumbsDown}
          aria-pressed={feedback?.rating === 'down'}
          className={cx(feedback?.rating === 'down' && '!text-bad')}
          onClick={() => vote('down')}
        />
        {!isVisitor() && (
          <IconButton
            label={is_pinned ? 'Unpin' : 'Pin'}
            icon={is_pinned ? PinOff : Pin}
            className={cx(is_pinned && '!text-accent')}
            onClick={() => unawaited(pin(path, message, !is_pinned))}
          />
        )}
        {onAskAgain && <IconButton label="Answer again" icon={RefreshCw} onClick={onAskAgain} />}
        {!isVisitor() && (
          <Menu
            label="More actions for this answer"
            align="start"
            trigger={(props) => <IconButton {...props} label="More actions for this answer" icon={Ellipsis} />}
          >
            {onEdit && (
              <MenuItem icon={Pencil} onSelect={onEdit}>
                Edit the question
              </MenuItem>
            )}
            <MenuItem icon={Info} onSelect={() => setOpen('details')}>
              Usage and cost…
            </MenuItem>
            <MenuItem icon={Trash2} isDangerous onSelect={() => setOpen('delete')}>
              Delete…
            </MenuItem>
          </Menu>
        )}
      </div>
      {open === 'comment' && feedback && (
        <Comment
          isGood={feedback.rating === 'up'}
          onCancel={close}
          onSend={(comment) => {
            unawaited(rate(path, message, { ...feedback, comment }))
            close()
            toast('Thank you: your comment was saved')
          }}
        />
      )}
      {open === 'details' && <AnswerDetails path={path} message={message} onClose={close} />}
      {open === 'delete' && (
        <ConfirmDialog
          title="Delete this question?"
          confirm="Delete"
          act={() => removeMessage(path, message.id)}
          onClose={close}
        >
          It is deleted with its answer, for good, and the agent forgets both.
        </ConfirmDialog>
      )}
    </div>
  )
}

interface CommentProps {
  isGood: boolean
  onCancel: () => void
  onSend: (comment: string) => void
}

function Comment({ isGood, onCancel, onSend }: CommentProps) {
  const [text, setText] = useState('')
  const label = isGood ? 'What was good about it?' : 'What was wrong with it?'
  return (
    <form
      className="max-w-lg animate-rise space-y-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim()) onSend(text.trim())
      }}
    >
      <Textarea
        aria-label={label}
        placeholder={`${label} (optional)`}
        rows={2}
        maxLength={10_000}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <div className="flex gap-2">
        <Button type="submit" disabled={!text.trim()}>
          Send
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          Close
        </Button>
      </div>
    </form>
  )
}
