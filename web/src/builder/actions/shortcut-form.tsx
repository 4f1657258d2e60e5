import type { Job, Shortcut, ShortcutField } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Button } from '../../ui/controls/button.tsx'
import { Select } from '../../ui/fields/choice.tsx'
import { Field, Input, Textarea } from '../../ui/fields/field.tsx'
import { Plus } from '../../ui/icons.ts'
import { Notice } from '../../ui/notices/notice.tsx'
import { FormDialog } from '../../ui/overlays/form-dialog.tsx'
import { saveShortcut } from '../builder.queries.ts'
import { ShortcutFieldRow } from './shortcut-field-row.tsx'
import { fieldProblem, newField, placesIn, withoutPlace, withPlaces } from './shortcut-places.ts'
import { ShortcutPreview } from './shortcut-preview.tsx'

interface ShortcutFormProps {
  agentId: string
  /** Shortcut to edit; null to create one. */
  shortcut: Shortcut | null
  jobs: Job[]
  onClose: () => void
}

export function ShortcutForm({ agentId, shortcut, jobs, onClose }: ShortcutFormProps) {
  const [name, setName] = useState(shortcut?.name ?? '')
  const [prompt, setPrompt] = useState(shortcut?.prompt ?? '')
  const [kept, setFields] = useState<ShortcutField[]>(shortcut?.fields ?? [])
  const [jobId, setJobId] = useState(shortcut?.job_id ?? null)
  const promptBox = useRef<HTMLTextAreaElement>(null)
  const places = placesIn(prompt)
  const fields = withPlaces(kept, places)
  const saving = useMutation({
    mutationFn: () => saveShortcut(agentId, shortcut?.id ?? null, { name: name.trim(), prompt, fields, job_id: jobId }),
    onSuccess: onClose,
  })
  const problem = fieldProblem(fields)

  /** Inserts a placeholder at the cursor. */
  function insert(place: string) {
    const box = promptBox.current!
    const text = `{{${place}}}`
    const end = box.selectionStart + text.length
    setPrompt(prompt.slice(0, box.selectionStart) + text + prompt.slice(box.selectionEnd))
    requestAnimationFrame(() => {
      box.focus()
      box.setSelectionRange(end, end)
    })
  }

  function addField() {
    let number = fields.length + 1
    while (fields.some((field) => field.name === `field_${number}`)) number++
    setFields([...fields, newField(`field_${number}`)])
    insert(`field_${number}`)
  }

  return (
    <FormDialog
      title={shortcut ? t`Change the shortcut` : t`New shortcut`}
      width="wide"
      onClose={onClose}
      saving={saving}
      save={shortcut ? t`Save` : t`Create shortcut`}
      onSave={() => {
        if (!problem) saving.mutate()
      }}
    >
      <Field label={t`Name`} hint={t`Shown on its button.`}>
        {(control) => (
          <Input
            {...control}
            autoFocus
            required
            maxLength={256}
            placeholder={t`Offer to a customer`}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      <Field
        label={t`Prompt`}
        hint={t`Question to the agent. ${'{{customer}}'} is a placeholder that people fill in: it becomes a field below.`}
      >
        {(control) => (
          <Textarea
            {...control}
            ref={promptBox}
            required
            rows={4}
            maxLength={100_000}
            className="field-sizing-content max-h-72 min-h-24"
            placeholder={t`Write an offer for ${'{{customer}}'} about ${'{{product}}'}.`}
            value={prompt}
            onChange={({ target }) => setPrompt(target.value)}
          />
        )}
      </Field>
      <fieldset className="space-y-2">
        <legend className="mb-1.5 font-medium">
          <Trans>Fields</Trans>
        </legend>
        {fields.map((field, index) => (
          <ShortcutFieldRow
            // biome-ignore lint/suspicious/noArrayIndexKey: a field is known by its place alone while it is renamed.
            key={index}
            field={field}
            isPlaced={places.includes(field.name)}
            onChange={(changed) => setFields(fields.with(index, changed))}
            onPlace={() => insert(field.name)}
            onRemove={() => {
              setFields(fields.toSpliced(index, 1))
              setPrompt(withoutPlace(prompt, field.name))
            }}
          />
        ))}
        <Button icon={Plus} onClick={addField}>
          <Trans>Add a field</Trans>
        </Button>
      </fieldset>
      {jobs.length > 0 && (
        <Field label={t`Job`} hint={t`Its instructions and tools apply.`}>
          {(control) => (
            <Select {...control} value={jobId ?? ''} onChange={({ target }) => setJobId(target.value || null)}>
              <option value="">{t`None: the agent as it is`}</option>
              {jobs.map((job) => (
                <option key={job.id} value={job.id}>
                  {job.name}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      <ShortcutPreview name={name} prompt={prompt} fields={fields} />
      {problem && <Notice>{problem}</Notice>}
    </FormDialog>
  )
}
