import type { EvaluationCase } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { wholeDocent } from '../access/access.ts'
import { CheckField } from '../ui/fields/choice.tsx'
import { Field, Textarea } from '../ui/fields/field.tsx'
import { FormDialog } from '../ui/overlays/form-dialog.tsx'
import { refreshEvaluation } from './evaluation.queries.ts'

interface CaseDialogProps {
  agentId: string
  setId: string
  /** Absent: a new one. */
  edited?: EvaluationCase
  onClose: () => void
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/** Form for one question of a set. */
export function CaseDialog({ agentId, setId, edited, onClose }: CaseDialogProps) {
  const [question, setQuestion] = useState(edited?.question ?? '')
  const [answers, setAnswers] = useState(edited?.expected_answers.join('\n') ?? '')
  const [reference, setReference] = useState(edited?.reference_answer ?? '')
  const [files, setFiles] = useState('')
  const [isAnswerable, setAnswerable] = useState(edited?.answerable ?? true)
  const save = useMutation({
    mutationFn: async () => {
      const named = linesOf(files).map((path) => ({ path }))
      const fields = {
        question,
        expected_answers: isAnswerable ? linesOf(answers) : [],
        reference_answer: reference.trim() || null,
        answerable: isAnswerable,
      }
      // Files that are there stay, unless others are named.
      if (edited)
        return wholeDocent().evaluation.cases.update(agentId, setId, edited.id, {
          ...fields,
          ...(named.length > 0 && { expected_files: named }),
        })
      return wholeDocent().evaluation.cases.add(agentId, setId, {
        from: 'cases',
        cases: [{ ...fields, expected_files: named }],
      })
    },
    onSuccess: async () => {
      await refreshEvaluation(agentId)
      onClose()
    },
  })
  return (
    <FormDialog
      title={edited ? t`Change the question` : t`New question`}
      width="wide"
      saving={save}
      save={t`Save`}
      isDisabled={!question.trim()}
      onSave={() => save.mutate()}
      onClose={onClose}
    >
      <Field label={t`Question`}>
        {(control) => (
          <Textarea {...control} rows={2} value={question} onChange={({ target }) => setQuestion(target.value)} />
        )}
      </Field>
      <CheckField
        label={t`The documents answer it`}
        hint={t`If not, the agent should say that it does not know.`}
        checked={isAnswerable}
        onChange={({ target }) => setAnswerable(target.checked)}
      />
      {isAnswerable && (
        <Field
          label={t`Expected texts`}
          hint={t`One a line: a right answer has one of them, such as a number or a name.`}
        >
          {(control) => (
            <Textarea {...control} rows={2} value={answers} onChange={({ target }) => setAnswers(target.value)} />
          )}
        </Field>
      )}
      <Field label={t`A good answer`} hint={t`For the judge to compare with.`}>
        {(control) => (
          <Textarea {...control} rows={3} value={reference} onChange={({ target }) => setReference(target.value)} />
        )}
      </Field>
      <Field
        label={edited ? t`Other expected files` : t`Expected files`}
        hint={t`One path a line, such as /Handbook/Refunds.md.`}
      >
        {(control) => (
          <Textarea {...control} rows={2} value={files} onChange={({ target }) => setFiles(target.value)} />
        )}
      </Field>
    </FormDialog>
  )
}
