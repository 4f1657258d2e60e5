import { DocentError, type Review, type ReviewDecision } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { explain } from '../platform/errors.ts'
import { Button } from '../ui/controls/button.tsx'
import { Field, Textarea } from '../ui/fields/field.tsx'
import { Check, Pencil, X } from '../ui/icons.ts'
import { Notice } from '../ui/notices/notice.tsx'
import { type ArgumentsDraft, type DraftProblem, fieldsDraft, jsonDraft, readDraft } from './arguments-draft.ts'
import { ArgumentsEditor } from './arguments-editor.tsx'
import { ReviewArguments } from './review-arguments.tsx'
import { decide } from './reviews.queries.ts'

interface ReviewFormProps {
  review: Review
  /** Called after the decision, by this person or somebody faster. */
  onDecided?: () => void
}

/** Form that approves a call, changed or not, rejects it, or answers a question. */
export function ReviewForm({ review, onDecided }: ReviewFormProps) {
  const [note, setNote] = useState('')
  const [draft, setDraft] = useState<ArgumentsDraft>()
  const [problem, setProblem] = useState<DraftProblem>()
  const [wasPutBack, setPutBack] = useState(false)
  const deciding = useMutation({
    mutationFn: (decision: ReviewDecision) => decide(review, decision),
    onSuccess: onDecided,
    onError: (error) => error instanceof DocentError && error.code === 'MESSAGE_NOT_WAITING' && onDecided?.(),
  })
  const send = (decision: ReviewDecision['decision'], text = note, changed?: Record<string, unknown>) =>
    deciding.mutate({ decision, note: text.trim() || null, arguments: changed })
  const isQuestion = review.kind === 'question'
  const given = isQuestion ? null : review.arguments

  function edit(changed: ArgumentsDraft | undefined) {
    setDraft(changed)
    setProblem(undefined)
    deciding.reset()
  }
  function approve() {
    const reading = draft && readDraft(draft)
    if (reading && 'text' in reading) setProblem(reading)
    else send('approve', note, reading?.given)
  }
  return (
    <form
      className="space-y-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (isQuestion && note.trim()) send('answer')
      }}
    >
      {isQuestion && review.options.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {review.options.map((option) => (
            <Button key={option} disabled={deciding.isPending} onClick={() => send('answer', option)}>
              {option}
            </Button>
          ))}
        </div>
      )}
      {draft ? (
        <ArgumentsEditor
          draft={draft}
          problem={problem}
          onDraft={edit}
          onProblem={setProblem}
          onPutBack={() => {
            setPutBack(true)
            edit(undefined)
          }}
        />
      ) : (
        given && <ReviewArguments given={given} />
      )}
      <Field
        label={isQuestion ? t`Your answer` : t`Note`}
        hint={isQuestion ? undefined : t`The agent reads it: say why not, or what to do instead.`}
      >
        {(control) => (
          <Textarea
            {...control}
            rows={2}
            maxLength={20_000}
            value={note}
            onChange={({ target }) => setNote(target.value)}
          />
        )}
      </Field>
      {deciding.error && <Notice>{explain(deciding.error)}</Notice>}
      <div className="flex flex-wrap gap-2">
        {isQuestion ? (
          <Button variant="primary" type="submit" isBusy={deciding.isPending} disabled={!note.trim()}>
            <Trans>Answer</Trans>
          </Button>
        ) : (
          <>
            <Button variant="primary" icon={Check} isBusy={deciding.isPending} onClick={approve}>
              {draft ? t`Approve with changes` : t`Approve`}
            </Button>
            {!draft && given && (
              <Button
                icon={Pencil}
                // The button takes the place of the pressed one, and its focus.
                autoFocus={wasPutBack}
                disabled={deciding.isPending}
                onClick={() => edit(Object.keys(given).length > 0 ? fieldsDraft(given) : jsonDraft(given))}
              >
                <Trans>Change</Trans>
              </Button>
            )}
            <Button icon={X} disabled={deciding.isPending} onClick={() => send('reject')}>
              <Trans>Reject</Trans>
            </Button>
          </>
        )}
      </div>
    </form>
  )
}
