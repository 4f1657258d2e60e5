import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { Button } from '../../../ui/controls/button.tsx'
import { Textarea } from '../../../ui/fields/field.tsx'

interface CommentProps {
  isGood: boolean
  onCancel: () => void
  onSend: (comment: string) => void
}

/** Form for a comment on an answer that was rated. */
export function AnswerComment({ isGood, onCancel, onSend }: CommentProps) {
  const [text, setText] = useState('')
  const label = isGood ? t`What was good about it?` : t`What was wrong with it?`
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
        placeholder={t`${label} (optional)`}
        rows={2}
        maxLength={10_000}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <div className="flex gap-2">
        <Button type="submit" disabled={!text.trim()}>
          <Trans>Send</Trans>
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          <Trans>Close</Trans>
        </Button>
      </div>
    </form>
  )
}
