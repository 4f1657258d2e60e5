import type { FileFilter } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import {
  isSame,
  KeyField,
  KindSelect,
  type KnownFacts,
  NO_VALUE,
  useKnownFacts,
  ValueField,
} from '../../drive/drive.ts'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import { Select } from '../../ui/fields/choice.tsx'
import { Plus, Trash2 } from '../../ui/icons.ts'
import {
  type EditedCondition,
  FILTER_LISTS,
  type FilterList,
  kindsOf,
  OPERATIONS,
  type Operation,
  toConditions,
  toFilter,
  withOperation,
} from './conditions.ts'
import { operationNames } from './filter-words.ts'

const MOST_CONDITIONS = 20

interface FilterFieldsProps {
  /** Null: no condition. */
  filter: FileFilter | null
  /** Folders whose files suggest keys and values. */
  folderIds: string[]
  onChange: (filter: FileFilter | null) => void
}

/** Conditions on the metadata of files, a row each. */
export function FilterFields({ filter, folderIds, onChange }: FilterFieldsProps) {
  const [conditions, setConditions] = useState(() => toConditions(filter))
  const known = useKnownFacts(folderIds)
  // The filter was discarded or changed elsewhere: what is not complete yet is in no filter, and stays otherwise.
  const given = toConditions(filter)
  if (!isSame(toFilter(conditions), toFilter(given))) setConditions(given)

  function change(changed: EditedCondition[]) {
    setConditions(changed)
    const made = toFilter(changed)
    if (!isSame(made, toFilter(conditions))) onChange(made)
  }
  const add = (list: FilterList) =>
    change([
      ...conditions,
      { id: Math.max(-1, ...conditions.map(({ id }) => id)) + 1, list, key: '', operation: 'eq', value: NO_VALUE },
    ])
  const lists = FILTER_LISTS.filter((list) => conditions.some((one) => one.list === list))
  return (
    <div className="space-y-4">
      {lists.map((list) => (
        <section key={list} className="space-y-2">
          {lists.length > 1 ? (
            <h3 className="text-sm font-medium">
              {list === 'all' ? t`All of these have to be met` : t`And at least one of these`}
            </h3>
          ) : (
            conditions.length > 1 && (
              <Select
                aria-label={t`Which conditions have to be met`}
                className="max-w-64"
                value={list}
                onChange={({ target }) =>
                  change(conditions.map((one) => ({ ...one, list: target.value as FilterList })))
                }
              >
                <option value="all">{t`All of these have to be met`}</option>
                <option value="any">{t`One of these has to be met`}</option>
              </Select>
            )
          )}
          <ul aria-label={t`Conditions`} className="divide-y divide-line rounded-card border border-line">
            {conditions
              .filter((one) => one.list === list)
              .map((condition) => (
                <ConditionRow
                  key={condition.id}
                  condition={condition}
                  known={known}
                  onChange={(changed) => change(conditions.map((one) => (one.id === changed.id ? changed : one)))}
                  onRemove={() => change(conditions.filter(({ id }) => id !== condition.id))}
                />
              ))}
          </ul>
        </section>
      ))}
      {conditions.length < MOST_CONDITIONS && (
        <Button icon={Plus} onClick={() => add(lists.at(-1) ?? 'all')}>
          <Trans>Add a condition</Trans>
        </Button>
      )}
    </div>
  )
}

interface ConditionRowProps {
  condition: EditedCondition
  known: KnownFacts
  onChange: (condition: EditedCondition) => void
  onRemove: () => void
}

function ConditionRow({ condition, known, onChange, onRemove }: ConditionRowProps) {
  const { key, operation, value } = condition
  const kinds = kindsOf(operation)
  return (
    <li className="space-y-2 p-2.5">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2 sm:grid-cols-[minmax(0,1fr)_13rem_auto]">
        <KeyField value={key} known={known} onChange={(changed) => onChange({ ...condition, key: changed })} />
        <Select
          aria-label={key ? t`Comparison of ${key}` : t`Comparison`}
          isTall
          className="max-sm:order-2 max-sm:col-span-2"
          value={operation}
          onChange={({ target }) => onChange(withOperation(condition, target.value as Operation))}
        >
          {OPERATIONS.map((one) => (
            <option key={one} value={one}>
              {operationNames()[one]}
            </option>
          ))}
        </Select>
        <IconButton
          label={key ? t`Remove ${key}` : t`Remove this condition`}
          icon={Trash2}
          className="mt-1"
          onClick={onRemove}
        />
      </div>
      {kinds.length > 0 && (
        <div className="grid items-start gap-2 sm:grid-cols-[10rem_minmax(0,1fr)]">
          <KindSelect
            of={key}
            value={value}
            kinds={kinds}
            onChange={(changed) => onChange({ ...condition, value: changed })}
          />
          <ValueField
            of={key}
            value={value}
            known={known}
            isRequired
            onChange={(changed) => onChange({ ...condition, value: changed })}
          />
        </div>
      )}
    </li>
  )
}
