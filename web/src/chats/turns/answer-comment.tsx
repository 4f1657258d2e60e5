import { useState } from 'react'
import { Button } from '../../ui/controls/button.tsx'
import { Textarea } from '../../ui/fields/field.tsx'

interface CommentProps {
  isGood: boolean
  onCancel: () => void
  onSend: (comment: string) => void
}

/** Form for a comment on an answer that was rated. */
export function AnswerComment({ isGood, onCancel, onSend }: CommentProps) {
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
