import type { EvaluationSet } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { wholeDocent } from '../access/access.ts'
import { useModels } from '../agents/agents.ts'
import { explain } from '../platform/errors.ts'
import { Select } from '../ui/fields/choice.tsx'
import { Field } from '../ui/fields/field.tsx'
import { refreshEvaluation } from './evaluation.queries.ts'

/** Model that judges the answers of a set's runs. */
export function JudgeField({ agentId, set }: { agentId: string; set: EvaluationSet }) {
  const { data: models } = useModels()
  const save = useMutation({
    mutationFn: (judge_model: string | null) => wholeDocent().evaluation.sets.update(agentId, set.id, { judge_model }),
    onSuccess: () => refreshEvaluation(agentId),
  })
  const known = models?.models.map(({ id }) => id).filter((id) => !id.startsWith('builtin/')) ?? []
  const choices = set.judge_model && !known.includes(set.judge_model) ? [set.judge_model, ...known] : known
  if (choices.length === 0) return null
  return (
    <div className="max-w-md">
      <Field
        label={t`Judge`}
        hint={t`A model that grades each answer. What it reads and writes counts as usage.`}
        error={save.error && explain(save.error)}
      >
        {(control) => (
          <Select
            {...control}
            value={set.judge_model ?? ''}
            disabled={save.isPending}
            onChange={({ target }) => save.mutate(target.value || null)}
          >
            <option value="">{t`None`}</option>
            {choices.map((id) => (
              <option key={id} value={id}>
                {id}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </div>
  )
}
