import type { ShortcutField } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { toWords } from '../../platform/format.ts'
import { Select } from '../../ui/fields/choice.tsx'
import { Field, Input } from '../../ui/fields/field.tsx'
import { filledIn } from './shortcut-places.ts'

interface ShortcutPreviewProps {
  name: string
  prompt: string
  fields: ShortcutField[]
}

/** Preview of the form that people fill in, and of the prompt that the agent reads. */
export function ShortcutPreview({ name, prompt, fields }: ShortcutPreviewProps) {
  const [values, setValues] = useState<Record<string, string>>({})
  const put = (field: string, value: string) => setValues((all) => ({ ...all, [field]: value }))
  return (
    <section aria-label={t`Preview`} className="rounded-card border border-line bg-canvas p-4">
      <h3 className="mb-3 text-sm font-semibold text-muted">
        <Trans>Preview: what people get</Trans>
      </h3>
      <p className="mb-3 font-semibold">{name || t`The shortcut`}</p>
      {fields.length > 0 && (
        <div className="mb-4 grid gap-3 sm:grid-cols-2">
          {fields.map((field, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: names change while they are typed.
            <Field key={index} label={`${toWords(field.name) || t`Field`}${field.required ? ' *' : ''}`}>
              {(control) =>
                field.type === 'select' ? (
                  <Select
                    {...control}
                    value={values[field.name] ?? ''}
                    onChange={({ target }) => put(field.name, target.value)}
                  >
                    <option value="">{t`Choose…`}</option>
                    {field.options.map((option) => (
                      <option key={option}>{option}</option>
                    ))}
                  </Select>
                ) : (
                  <Input
                    {...control}
                    type={field.type}
                    step="any"
                    value={values[field.name] ?? ''}
                    onChange={({ target }) => put(field.name, target.value)}
                  />
                )
              }
            </Field>
          ))}
        </div>
      )}
      <p className="text-sm text-muted">
        <Trans>What the agent reads:</Trans>
      </p>
      <p className="mt-1 max-h-40 overflow-y-auto scroll-quiet wrap-anywhere whitespace-pre-wrap">
        {prompt.trim() === '' && (
          <span className="text-muted">
            <Trans>Nothing yet.</Trans>
          </span>
        )}
        {filledIn(prompt, values).map(({ text, place }, index) =>
          place === null ? (
            text
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no name, and one place may come twice.
            <span key={index} className="rounded-sm bg-accent-soft px-0.5 text-accent">
              {text || toWords(place) || t`Field`}
            </span>
          ),
        )}
      </p>
    </section>
  )
}
