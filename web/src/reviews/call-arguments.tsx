import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Pencil } from '../ui/icons.ts'
import { type ArgumentsDraft, type DraftProblem, fieldsDraft, jsonDraft } from './arguments-draft.ts'
import { ArgumentsEditor } from './arguments-editor.tsx'
import { ReviewArguments } from './review-arguments.tsx'

interface CallArgumentsProps {
  given: Record<string, unknown>
  /** Undefined while nobody changes them. */
  draft: ArgumentsDraft | undefined
  problem: DraftProblem | undefined
  onDraft: (draft: ArgumentsDraft | undefined) => void
  onProblem: (problem: DraftProblem) => void
}

/** What a call that waits would be made with, and the way to change it first. */
export function CallArguments({ given, draft, problem, onDraft, onProblem }: CallArgumentsProps) {
  const [wasPutBack, setPutBack] = useState(false)
  if (draft)
    return (
      <ArgumentsEditor
        draft={draft}
        problem={problem}
        onDraft={onDraft}
        onProblem={onProblem}
        onPutBack={() => {
          setPutBack(true)
          onDraft(undefined)
        }}
      />
    )
  return (
    <div className="space-y-2">
      <ReviewArguments given={given} />
      <Button
        variant="quiet"
        icon={Pencil}
        autoFocus={wasPutBack}
        onClick={() => onDraft(Object.keys(given).length > 0 ? fieldsDraft(given) : jsonDraft(given))}
      >
        Change this first
      </Button>
    </div>
  )
}
