import type { FolderAccess, FolderAccessEntry } from '@docent/sdk'
import { IconButton } from '../../ui/controls/button.tsx'
import { Select } from '../../ui/fields/choice.tsx'
import { X } from '../../ui/icons.ts'
import { useAllGroups } from './access.queries.ts'
import { LEVEL_NAMES, LEVELS, type Level, subjectOf } from './access-words.ts'

const INHERITED = 'inherited'
const EVERYONE = { kind: 'everyone', id: null, name: 'Everyone in the workspace' } as const

interface EntryRowsProps {
  access: FolderAccess
  entries: FolderAccessEntry[]
  onChange: (entries: FolderAccessEntry[]) => void
}

/** Entries of a folder: everyone's level, those of people and groups, and a box to add more. */
export function EntryRows({ access, entries, onChange }: EntryRowsProps) {
  const everyone = entries.find(({ kind }) => kind === 'everyone')
  const others = entries.filter(({ kind }) => kind !== 'everyone')
  const without = (entry: Pick<FolderAccessEntry, 'kind' | 'id'>) =>
    entries.filter((one) => subjectOf(one) !== subjectOf(entry))
  const setLevel = (entry: FolderAccessEntry, level: Level) =>
    onChange(entries.map((one) => (one === entry ? { ...entry, level } : one)))
  return (
    <>
      <ul aria-label="Entries of this folder" className="divide-y divide-line rounded-control border border-line">
        <li className="flex flex-wrap items-center gap-x-3 gap-y-1.5 py-2 pr-2 pl-3.5">
          <span className="min-w-32 flex-1">{EVERYONE.name}</span>
          <Select
            aria-label={EVERYONE.name}
            className="w-44"
            value={everyone?.level ?? INHERITED}
            onChange={({ target: { value } }) =>
              onChange(
                value === INHERITED
                  ? without(EVERYONE)
                  : [{ ...EVERYONE, level: value as Level }, ...without(EVERYONE)],
              )
            }
          >
            <option value={INHERITED}>No entry here</option>
            <LevelOptions />
          </Select>
        </li>
        {others.map((entry) => (
          <li key={subjectOf(entry)} className="flex flex-wrap items-center gap-x-3 gap-y-1.5 py-2 pr-2 pl-3.5">
            <span className="min-w-32 flex-1 wrap-anywhere">
              {entry.name}
              {entry.kind === 'group' && <span className="text-sm text-muted"> (group)</span>}
            </span>
            <Select
              aria-label={`Level of ${entry.name}`}
              className="w-44"
              value={entry.level}
              onChange={({ target: { value } }) => setLevel(entry, value as Level)}
            >
              <LevelOptions />
            </Select>
            <IconButton label={`Remove ${entry.name}`} icon={X} onClick={() => onChange(without(entry))} />
          </li>
        ))}
      </ul>
      <AddBox access={access} entries={entries} onAdd={(entry) => onChange([...entries, entry])} />
    </>
  )
}

const LevelOptions = () =>
  LEVELS.map((level) => (
    <option key={level} value={level}>
      {LEVEL_NAMES[level]}
    </option>
  ))

interface AddBoxProps {
  access: FolderAccess
  entries: FolderAccessEntry[]
  onAdd: (entry: FolderAccessEntry) => void
}

/** Choice of a person or group without an entry here. Owners and admins manage all folders, so they are not offered. */
function AddBox({ access, entries, onAdd }: AddBoxProps) {
  const groups = useAllGroups()
  const taken = new Set(entries.map(subjectOf))
  const isFree = (entry: FolderAccessEntry) => !taken.has(subjectOf(entry))
  const toEntry = (kind: 'member' | 'group', { id, name }: { id: string; name: string }): FolderAccessEntry => ({
    kind,
    id,
    name,
    level: 'read',
  })
  const known =
    groups ?? access.inherited.flatMap(({ kind, id, name }) => (kind === 'group' && id ? [{ id, name }] : []))
  const offered = {
    Groups: [...new Map(known.map((group) => [group.id, toEntry('group', group)])).values()].filter(isFree),
    People: access.people
      .filter(({ because }) => because !== 'role')
      .map((person) => toEntry('member', person))
      .filter(isFree),
  }
  const all = Object.values(offered).flat()
  if (all.length === 0) return null
  return (
    <Select
      aria-label="Add a person or group"
      className="mt-2"
      value=""
      onChange={({ target: { value } }) => onAdd(all.find((entry) => subjectOf(entry) === value)!)}
    >
      <option value="">Add a person or group…</option>
      {Object.entries(offered)
        .filter(([, list]) => list.length > 0)
        .map(([label, list]) => (
          <optgroup key={label} label={label}>
            {list.map((entry) => (
              <option key={subjectOf(entry)} value={subjectOf(entry)}>
                {entry.name}
              </option>
            ))}
          </optgroup>
        ))}
    </Select>
  )
}
