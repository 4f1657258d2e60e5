import type { ShortcutField } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useId } from 'react'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import { CheckField, Select } from '../../ui/fields/choice.tsx'
import { Input } from '../../ui/fields/field.tsx'
import { TagInput } from '../../ui/fields/tag-input.tsx'
import { Trash2 } from '../../ui/icons.ts'

interface ShortcutFieldRowProps {
  field: ShortcutField
  /** Whether the prompt has a placeholder for it. */
  isPlaced: boolean
  onChange: (field: ShortcutField) => void
  onPlace: () => void
  onRemove: () => void
}

/** Row for one field of a shortcut: its name, and what people may enter. */
export function ShortcutFieldRow({ field, isPlaced, onChange, onPlace, onRemove }: ShortcutFieldRowProps) {
  const optionsId = useId()
  const { name, type, required, options } = field
  return (
    <div className="space-y-2 rounded-control border border-line p-2.5">
      <div className="flex items-center gap-2">
        <Input
          aria-label={t`Name of the field`}
          required
          maxLength={64}
          autoComplete="off"
          spellCheck={false}
          className="h-9 min-w-0 flex-1 py-0 font-mono text-sm"
          value={name}
          onChange={({ target }) => onChange({ ...field, name: target.value })}
        />
        <Select
          aria-label={t`Kind of ${name}`}
          className="w-28"
          value={type}
          onChange={({ target }) => onChange({ ...field, type: target.value as ShortcutField['type'] })}
        >
          <option value="text">{t`Text`}</option>
          <option value="number">{t`Number`}</option>
          <option value="select">{t`Choice`}</option>
        </Select>
        <IconButton label={t`Remove ${name}`} icon={Trash2} onClick={onRemove} />
      </div>
      {type === 'select' && (
        <div>
          <label htmlFor={optionsId} className="mb-1 block text-sm font-medium">
            <Trans>Options</Trans>
          </label>
          <TagInput
            id={optionsId}
            tags={options}
            maxLength={256}
            placeholder={t`Type one, then Enter`}
            onChange={(changed) => onChange({ ...field, options: changed })}
          />
        </div>
      )}
      <div className="flex flex-wrap items-center justify-between gap-2 text-sm">
        <CheckField
          label={t`Must be filled in`}
          checked={required}
          onChange={({ target }) => onChange({ ...field, required: target.checked })}
        />
        {!isPlaced && (
          <Button variant="quiet" onClick={onPlace} className="text-accent">
            <Trans>Insert into the prompt</Trans>
          </Button>
        )}
      </div>
    </div>
  )
}
