import { t } from '@lingui/core/macro'
import { Select } from './choice.tsx'

/** A member or a group that rights can be given to. */
export interface Subject {
  kind: 'member' | 'group'
  id: string
  name: string
}

interface SubjectSelectProps {
  groups: readonly { id: string; name: string }[]
  people: readonly { id: string; name: string }[]
  /** Ids that are chosen already. */
  taken: readonly string[]
  isDisabled?: boolean
  onAdd: (subject: Subject) => void
}

/** Choice of a person or group that is not chosen yet; nothing where there is none. */
export function SubjectSelect({ groups, people, taken, isDisabled, onAdd }: SubjectSelectProps) {
  const free = (kind: Subject['kind'], list: SubjectSelectProps['people']): Subject[] =>
    list.filter(({ id }) => !taken.includes(id)).map(({ id, name }) => ({ kind, id, name }))
  const offered = [
    { label: t`Groups`, list: free('group', groups) },
    { label: t`People`, list: free('member', people) },
  ]
  const all = offered.flatMap(({ list }) => list)
  if (all.length === 0) return null
  return (
    <Select
      aria-label={t`Add a person or group`}
      className="mt-2"
      value=""
      disabled={isDisabled}
      onChange={({ target: { value } }) => onAdd(all.find(({ id }) => id === value)!)}
    >
      <option value="">{t`Add a person or group…`}</option>
      {offered
        .filter(({ list }) => list.length > 0)
        .map(({ label, list }) => (
          <optgroup key={label} label={label}>
            {list.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </optgroup>
        ))}
    </Select>
  )
}
