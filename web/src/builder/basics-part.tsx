import { t } from '@lingui/core/macro'
import { Field, Input, Textarea } from '../ui/fields/field.tsx'
import type { Draft } from './draft.ts'
import { ModelField } from './model-field.tsx'

/** Name, description, instructions and model of the agent. */
export const BasicsPart = ({ draft: { fields, change } }: { draft: Draft }) => (
  <>
    <Field label={t`Name`}>
      {(control) => (
        <Input
          {...control}
          required
          maxLength={256}
          value={fields.name}
          onChange={({ target }) => change({ name: target.value })}
        />
      )}
    </Field>
    <Field
      label={t`Description`}
      hint={t`What it is for, in a sentence. People, and other agents, choose agents by it.`}
    >
      {(control) => (
        <Textarea
          {...control}
          rows={2}
          maxLength={2000}
          value={fields.description}
          onChange={({ target }) => change({ description: target.value })}
        />
      )}
    </Field>
    <Field
      label={t`Instructions`}
      hint={t`How it should answer: tone, language, what to leave out. It knows on its own to cite what it found.`}
    >
      {(control) => (
        <Textarea
          {...control}
          rows={6}
          className="field-sizing-content max-h-[32rem] min-h-36"
          placeholder={t`You help new colleagues. Answer briefly, name the person to ask, and …`}
          maxLength={100_000}
          value={fields.instructions}
          onChange={({ target }) => change({ instructions: target.value })}
        />
      )}
    </Field>
    <ModelField model={fields.model} onChange={(model) => change({ model })} />
  </>
)
