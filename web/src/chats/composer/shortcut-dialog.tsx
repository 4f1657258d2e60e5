import type { Shortcut } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { toWords } from '../../platform/format.ts'
import { Select } from '../../ui/fields/choice.tsx'
import { Field, Input, Textarea } from '../../ui/fields/field.tsx'
import { FormActions } from '../../ui/fields/form-actions.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import type { Ask } from '../answers/live-answer.ts'

interface ShortcutDialogProps {
  shortcut: Shortcut
  onAsk: (shortcut: NonNullable<Ask['shortcut']>) => void
  onClose: () => void
}

/** Asks for the values of a shortcut. */
export function ShortcutDialog({ shortcut: { id, name, fields }, onAsk, onClose }: ShortcutDialogProps) {
  const [values, setValues] = useState<Record<string, string>>({})
  const [isTried, setTried] = useState(false)
  const given = (field: string) => values[field] ?? ''
  const problems = Object.fromEntries(fields.map((field) => [field.name, findProblem(field, given(field.name))]))
  return (
    <Dialog title={name} isForm onClose={onClose} width={fields.length > 4 ? 'wide' : 'narrow'}>
      <form
        noValidate
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          const wrong = fields.find((field) => problems[field.name])
          if (wrong) return event.currentTarget.querySelector<HTMLElement>(`[name="${wrong.name}"]`)?.focus()
          const filled = fields.filter((field) => given(field.name).trim() !== '')
          onAsk({
            id,
            values: filled.map((field) => ({ field_name: field.name, field_value: typed(field, given(field.name)) })),
          })
        }}
      >
        {fields.map((field, index) => {
          const change = (text: string) => setValues((all) => ({ ...all, [field.name]: text }))
          return (
            <Field
              key={field.name}
              label={field.required ? toWords(field.name) : t`${toWords(field.name)} (optional)`}
              error={isTried ? problems[field.name] : null}
            >
              {(control) => {
                const common = {
                  ...control,
                  name: field.name,
                  value: given(field.name),
                  required: field.required,
                  autoFocus: index === 0,
                }
                if (field.type === 'select')
                  return (
                    <Select {...common} onChange={({ target }) => change(target.value)}>
                      <option value="">{t`Choose…`}</option>
                      {field.options.map((option) => (
                        <option key={option}>{option}</option>
                      ))}
                    </Select>
                  )
                if (field.type === 'number')
                  return <Input {...common} inputMode="decimal" onChange={({ target }) => change(target.value)} />
                return (
                  <Textarea
                    {...common}
                    rows={1}
                    maxLength={20_000}
                    className="field-sizing-content max-h-48"
                    onChange={({ target }) => change(target.value)}
                  />
                )
              }}
            </Field>
          )
        })}
        <FormActions save={t`Ask`} onCancel={onClose} />
      </form>
    </Dialog>
  )
}

function findProblem({ name, type, required }: Shortcut['fields'][number], value: string): string | null {
  if (value.trim() === '') return required ? t`Fill in ${toWords(name).toLowerCase()}.` : null
  if (type === 'number' && !Number.isFinite(Number(value))) return t`Write a number, such as 12 or 4.5.`
  return null
}

const typed = ({ type }: Shortcut['fields'][number], value: string) => (type === 'number' ? Number(value) : value)
