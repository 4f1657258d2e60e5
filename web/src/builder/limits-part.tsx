import type { AgentLimits } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { formatNumber } from '../platform/format.ts'
import { Field, Input } from '../ui/fields/field.tsx'
import type { Draft } from './draft.ts'

const LIMITS: { name: keyof AgentLimits; label: string; hint: string; usual: number; most: number }[] = [
  {
    name: 'max_steps',
    label: t`Turns`,
    hint: t`Rounds of thinking and tool use before it has to answer.`,
    usual: 20,
    most: 100,
  },
  {
    name: 'max_tokens',
    label: t`Tokens`,
    hint: t`Read and written for one answer, including agents that it calls. Near the limit it has to answer; beyond it, it fails.`,
    usual: 500_000,
    most: 100_000_000,
  },
  {
    name: 'max_seconds',
    label: t`Seconds`,
    hint: t`Time for one answer, without the time that people take to decide.`,
    usual: 900,
    most: 86_400,
  },
  {
    name: 'max_tool_output_characters',
    label: t`Characters of a tool’s result`,
    hint: t`Longer results are cut, and the model is told.`,
    usual: 50_000,
    most: 1_000_000,
  },
]

/** Limits of one answer. */
export const LimitsPart = ({ draft: { fields, change } }: { draft: Draft }) => (
  <>
    <p className="max-w-[65ch] text-muted text-pretty">
      <Trans>Limits on one answer. An empty field means the default, which suits most agents.</Trans>
    </p>
    {LIMITS.map(({ name, label, hint, usual, most }) => (
      <Field key={name} label={label} hint={hint}>
        {(control) => (
          <Input
            {...control}
            type="number"
            inputMode="numeric"
            min={1}
            max={most}
            step={1}
            className="max-w-64 tabular-nums"
            placeholder={t`Default: ${formatNumber(usual)}`}
            value={fields.limits[name] ?? ''}
            onChange={({ target }) =>
              change({ limits: { ...fields.limits, [name]: target.value === '' ? null : Number(target.value) } })
            }
          />
        )}
      </Field>
    ))}
  </>
)
