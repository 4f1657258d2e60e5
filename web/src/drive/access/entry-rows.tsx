import type { FolderGrant, FolderGrants } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { useWorkspaceId } from '../../access/access.ts'
import { RightsRow } from '../../ui/fields/rights-rows.tsx'
import { SubjectSelect } from '../../ui/fields/subject-select.tsx'
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
        <RightsRow
          name={EVERYONE}
          label={EVERYONE}
          level={everyone?.level ?? INHERITED}
          onChange={(level) =>
            onChange(
              level === INHERITED
                ? others
                : [{ kind: 'workspace', id: workspaceId, name: '', level: level as Level }, ...others],
            )
          }
        >
          <option value={INHERITED}>{t`No entry here`}</option>
          <LevelOptions />
        </RightsRow>
        {others.map((entry) => (
          <RightsRow
            key={subjectOf(entry)}
            name={entry.name}
            isGroup={entry.kind === 'group'}
            label={t`Level of ${entry.name}`}
            level={entry.level}
            onChange={(level) => setLevel(entry, level as Level)}
            onRemove={() => onChange(without(entry))}
          >
            <LevelOptions />
          </RightsRow>
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
