import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type KeyboardEvent, useId, useState } from 'react'
import { modelChoices, useModels } from '../../agents/agents.ts'
import { type Choice, ChoiceList, searchGroups } from '../../ui/fields/combobox.tsx'
import { Input } from '../../ui/fields/field.tsx'

interface ModelSearchProps {
  label: string
  /** `provider/model` of the agent. */
  ofAgent: string
  chosen: string | null
  /** @param model null for that of the agent */
  onChoose: (model: string | null) => void
}

/** Models that are really there, to search: that of the agent first, then those of each provider. */
export function ModelSearch({ label, ofAgent, chosen, onChoose }: ModelSearchProps) {
  const listId = useId()
  const { data: models } = useModels()
  const [search, setSearch] = useState('')
  const [moved, setMoved] = useState<number | null>(null)
  const usual: Choice = { value: '', label: ofAgent, aside: t`The model of the agent` }
  const others = models ? modelChoices(models) : []
  const groups = [
    { name: t`Agent`, choices: [usual] },
    ...others.map(({ name, choices }) => ({ name, choices: choices.filter(({ value }) => value !== ofAgent) })),
  ]
  const shown = searchGroups(groups, search)
  const choices = shown.flatMap((group) => group.choices)
  const at = moved ?? (search ? 0 : choices.findIndex(({ value }) => value === (chosen ?? '')))
  const active = choices[at]
  const choose = ({ value }: Choice) => onChoose(value || null)

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && choices.length > 0) setMoved((Math.max(at, step > 0 ? -1 : 0) + step + choices.length) % choices.length)
    else if (event.key === 'Enter' && active) choose(active)
    else return
    event.preventDefault()
  }
  return (
    <>
      <div className="border-b border-line p-2">
        <Input
          role="combobox"
          aria-label={label}
          aria-autocomplete="list"
          aria-expanded={choices.length > 0}
          aria-controls={listId}
          aria-activedescendant={active && `${listId}-${at}`}
          autoComplete="off"
          spellCheck={false}
          autoFocus
          placeholder={t`Search models`}
          value={search}
          onKeyDown={onKeyDown}
          onChange={({ target }) => {
            setSearch(target.value)
            setMoved(null)
          }}
        />
      </div>
      {choices.length > 0 ? (
        <ChoiceList id={listId} groups={shown} active={active} onChoose={choose} />
      ) : (
        <p className="px-4 py-3 text-muted">
          <Trans>No model has this in its name.</Trans>
        </p>
      )}
    </>
  )
}
