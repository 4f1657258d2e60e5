import type { FolderGrant, FolderGrants } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useWorkspaceId } from '../../access/access.ts'
import { IconButton } from '../../ui/controls/button.tsx'
import { Select } from '../../ui/fields/choice.tsx'
import { SubjectSelect } from '../../ui/fields/subject-select.tsx'
import { X } from '../../ui/icons.ts'
import { LEVEL_NAMES, LEVELS, type Level, subjectOf } from './access-words.ts'
import { useAllGroups } from './grants.queries.ts'

const INHERITED = 'inherited'
const EVERYONE = t`Everyone in the workspace`

interface EntryRowsProps {
  access: FolderGrants
  entries: FolderGrant[]
  onChange: (entries: FolderGrant[]) => void
}

/** Entries of a folder: everyone's level, those of people and groups, and a box to add more. */
export function EntryRows({ access, entries, onChange }: EntryRowsProps) {
  const workspaceId = useWorkspaceId()
  const everyone = entries.find(({ kind }) => kind === 'workspace')
  const others = entries.filter(({ kind }) => kind !== 'workspace')
  const without = (entry: Pick<FolderGrant, 'kind' | 'id'>) =>
    entries.filter((one) => subjectOf(one) !== subjectOf(entry))
  const setLevel = (entry: FolderGrant, level: Level) =>
    onChange(entries.map((one) => (one === entry ? { ...entry, level } : one)))
  return (
    <>
      <ul aria-label={t`Entries of this folder`} className="divide-y divide-line rounded-control border border-line">
        <li className="flex flex-wrap items-center gap-x-3 gap-y-1.5 py-2 pe-2 ps-3.5">
          <span className="min-w-32 flex-1">{EVERYONE}</span>
          <Select
            aria-label={EVERYONE}
            className="w-44"
            value={everyone?.level ?? INHERITED}
            onChange={({ target: { value } }) =>
              onChange(
                value === INHERITED
                  ? others
                  : [{ kind: 'workspace', id: workspaceId, name: '', level: value as Level }, ...others],
              )
            }
          >
            <option value={INHERITED}>{t`No entry here`}</option>
            <LevelOptions />
          </Select>
        </li>
        {others.map((entry) => (
          <li key={subjectOf(entry)} className="flex flex-wrap items-center gap-x-3 gap-y-1.5 py-2 pe-2 ps-3.5">
            <span className="min-w-32 flex-1 wrap-anywhere">
              {entry.name}
              {entry.kind === 'group' && (
                <span className="text-sm text-muted">
                  {' '}
                  <Trans>(group)</Trans>
                </span>
              )}
            </span>
            <Select
              aria-label={t`Level of ${entry.name}`}
              className="w-44"
              value={entry.level}
              onChange={({ target: { value } }) => setLevel(entry, value as Level)}
            >
              <LevelOptions />
            </Select>
            <IconButton label={t`Remove ${entry.name}`} icon={X} onClick={() => onChange(without(entry))} />
          </li>
        ))}
      </ul>
      <AddBox access={access} taken={entries} onAdd={(entry) => onChange([...entries, entry])} />
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
  access: FolderGrants
  taken: FolderGrant[]
  onAdd: (entry: FolderGrant) => void
}

/** Choice of a person or group without an entry here. Owners and admins manage all folders, so they are not offered. */
function AddBox({ access, taken, onAdd }: AddBoxProps) {
  const groups = useAllGroups() ?? access.inherited.filter(({ kind }) => kind === 'group')
  return (
    <SubjectSelect
      groups={[...new Map(groups.map((group) => [group.id, group])).values()]}
      people={access.people.filter(({ because }) => because !== 'role')}
      taken={taken.map(({ id }) => id)}
      onAdd={(subject) => onAdd({ ...subject, level: 'read' })}
    />
  )
}
