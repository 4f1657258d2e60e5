import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type KeyboardEvent, useState } from 'react'
import { isVisitor } from '../../../access/access.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Textarea } from '../../../ui/fields/field.tsx'

interface EditQueryProps {
  initial: string
  /** @param opener element that had the focus before */
  onCancel: (opener: Element | null) => void
  onSave: (query: string) => void
}

/** Editor of a question that was asked. */
export function EditQuery({ initial, onCancel, onSave }: EditQueryProps) {
  const [text, setText] = useState(initial)
  const [opener] = useState(() => document.activeElement)
  const isReady = text.trim() !== ''
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape') {
      event.stopPropagation()
      onCancel(opener)
    } else if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault()
      if (isReady) onSave(text.trim())
    }
  }
  return (
    <form
      className="space-y-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) onSave(text.trim())
      }}
    >
      <Textarea
        aria-label={t`Your question`}
        autoFocus
        rows={2}
        maxLength={200_000}
        value={text}
        onFocus={({ target }) => target.setSelectionRange(target.value.length, target.value.length)}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={onKeyDown}
        className="field-sizing-content max-h-72 text-base"
      />
      <div className="flex flex-wrap items-center gap-2">
        <Button variant="primary" type="submit" disabled={!isReady}>
          <Trans>Ask again</Trans>
        </Button>
        <Button onClick={() => onCancel(opener)}>
          <Trans>Cancel</Trans>
        </Button>
        <p className="text-sm text-muted">
          {isVisitor() ? t`It is asked as a new question.` : t`What is there now stays as an earlier version.`}
        </p>
      </div>
    </form>
  )
}
