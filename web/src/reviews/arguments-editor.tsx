import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '../ui/controls/button.tsx'
import { Field, Textarea } from '../ui/fields/field.tsx'
import { Braces, RotateCcw } from '../ui/icons.ts'
import { argumentInWords } from './argument-words.ts'
import { type ArgumentsDraft, type DraftProblem, fieldsDraft, jsonDraft, readDraft, toText } from './arguments-draft.ts'

interface ArgumentsEditorProps {
  draft: ArgumentsDraft
  /** Undefined until somebody tries to send or convert an invalid draft. */
  problem?: DraftProblem
  onDraft: (draft: ArgumentsDraft) => void
  onProblem: (problem: DraftProblem) => void
  onPutBack: () => void
}

/** Form for the arguments of a tool call: a box for each, or all of them as JSON. */
export function ArgumentsEditor({ draft, problem, onDraft, onProblem, onPutBack }: ArgumentsEditorProps) {
  const isJson = draft.as === 'json'
  function turn() {
    const reading = readDraft(draft)
    if ('text' in reading) onProblem(reading)
    else onDraft(isJson ? fieldsDraft(reading.given) : jsonDraft(reading.given))
  }
  return (
    <fieldset className="space-y-3 rounded-control border border-line bg-canvas px-4 py-3">
      <legend className="sr-only">
        <Trans>What the tool is called with</Trans>
      </legend>
      {isJson ? (
        <Field label={t`All of it, as JSON`} error={problem?.text}>
          {(control) => (
            <Textarea
              {...control}
              autoFocus
              rows={8}
              spellCheck={false}
              className="font-mono text-sm"
              value={draft.text}
              onChange={({ target }) => onDraft({ as: 'json', text: target.value })}
            />
          )}
        </Field>
      ) : (
        Object.entries(draft.texts).map(([name, text], index) => (
          <Field key={name} label={argumentInWords(name)} error={problem?.name === name ? problem.text : undefined}>
            {(control) => (
              <Textarea
                {...control}
                autoFocus={index === 0}
                rows={rowsFor(toText(draft.from[name]))}
                spellCheck={typeof draft.from[name] === 'string'}
                value={text}
                onChange={({ target }) => onDraft({ ...draft, texts: { ...draft.texts, [name]: target.value } })}
              />
            )}
          </Field>
        ))
      )}
      <div className="flex flex-wrap gap-2">
        <Button icon={RotateCcw} onClick={onPutBack}>
          <Trans>Put it back</Trans>
        </Button>
        <Button variant="quiet" icon={Braces} onClick={turn}>
          {isJson ? t`Edit in boxes` : t`Edit as JSON`}
        </Button>
      </div>
    </fieldset>
  )
}

/** Rows for a text, at most 10: by its initial length, so that boxes do not move while somebody types. */
function rowsFor(text: string): number {
  const rows = text.split('\n').map((line) => Math.max(1, Math.ceil(line.length / CHARACTERS_A_ROW)))
  return Math.min(
    10,
    rows.reduce((sum, count) => sum + count, 0),
  )
}

const CHARACTERS_A_ROW = 70
