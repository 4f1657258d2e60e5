import type { Agent, AgentGrants } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { PeopleWithRights } from '../../access/access.ts'
import { PendingChanges, RightsRow } from '../../ui/fields/rights-rows.tsx'
import { SubjectSelect } from '../../ui/fields/subject-select.tsx'
import { ReadProblem } from '../../ui/notices/read-problem.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { FormDialog } from '../../ui/overlays/form-dialog.tsx'
import { toast } from '../../ui/overlays/toasts.tsx'
import { saveAgentGrants, useAgentGrants } from './grants.queries.ts'
import {
  type AgentEntry,
  chosenOf,
  describeChanges,
  describeUse,
  entriesThatCount,
  explainPerson,
  type Level,
  levelNames,
  toGrants,
} from './use-words.ts'

interface UseDialogProps {
  agent: Agent
  onClose: () => void
}

/** Rights of members and groups to an agent: who can use and change it and why, and a form to change that. */
export function UseDialog({ agent, onClose }: UseDialogProps) {
  const { data, error, refetch } = useAgentGrants(agent.id)
  if (data?.can_change) return <UseForm agent={agent} rights={data} onClose={onClose} />
  return (
    <Dialog title={titleOf(agent)} width="wide" onClose={onClose}>
      {data && (
        <p className="text-pretty">
          <Trans>
            {describeUse(data)} It is up to{' '}
            {data.owner ? t`${data.owner.name}, who made it, and the admins` : t`the admins`}.
          </Trans>
        </p>
      )}
      {error && <ReadProblem error={error} onRetry={refetch} />}
      {!data && !error && (
        <p className="text-muted">
          <Trans>Loading…</Trans>
        </p>
      )}
    </Dialog>
  )
}

const titleOf = ({ name }: Agent) => t`Who can use “${name}”`

function UseForm({ agent, rights, onClose }: UseDialogProps & { rights: AgentGrants }) {
  const before = chosenOf(rights)
  const [everyone, setEveryone] = useState(before.everyone)
  const [entries, setEntries] = useState(before.entries)
  const chosen = { everyone, entries: entriesThatCount({ everyone, entries }) }
  const changes = describeChanges(before, chosen)
  const saving = useMutation({
    mutationFn: () => saveAgentGrants(agent.id, toGrants(rights, chosen)),
    onSuccess() {
      toast(t`Saved`)
      onClose()
    },
  })
  /** Level that is given at first. */
  const level = everyone === 'none' ? 'use' : 'edit'
  const setLevel = (entry: AgentEntry, level: AgentEntry['level']) =>
    setEntries(entries.map((one) => (one === entry ? { ...entry, level } : one)))
  return (
    <FormDialog
      title={titleOf(agent)}
      width="wide"
      save={t`Save`}
      saving={saving}
      isDisabled={changes.length === 0}
      onSave={() => saving.mutate()}
      onClose={onClose}
    >
      <section>
        <h3 className="mb-1 font-medium">
          <Trans>Rights given here</Trans>
        </h3>
        <p className="mb-2 text-sm text-muted text-pretty">
          <Trans>Owners and admins of the workspace</Trans>
          {rights.owner && t` and ${rights.owner.name}, who made it,`}{' '}
          <Trans>
            can use and change it in any case. API keys of the role member have what everyone has, and links rights of
            their own.
          </Trans>
        </p>
        <ul aria-label={t`Rights to this agent`} className="divide-y divide-line rounded-control border border-line">
          <RightsRow
            name={t`Everyone in the workspace`}
            label={t`Everyone in the workspace`}
            level={everyone}
            onChange={(level) => setEveryone(level as Level)}
          >
            <LevelOptions levels={['none', 'use', 'edit']} />
          </RightsRow>
          {chosen.entries.map((entry) => (
            <RightsRow
              key={entry.id}
              name={entry.name}
              isGroup={entry.kind === 'group'}
              label={t`Rights of ${entry.name}`}
              level={entry.level}
              onChange={(level) => setLevel(entry, level as AgentEntry['level'])}
              onRemove={() => setEntries(entries.filter((one) => one !== entry))}
            >
              <LevelOptions levels={everyone === 'none' ? ['use', 'edit'] : ['edit']} />
            </RightsRow>
          ))}
        </ul>
        {everyone !== 'edit' && (
          <SubjectSelect
            groups={rights.all_groups}
            people={rights.people.filter(({ because }) => because !== 'role' && because !== 'owner')}
            taken={chosen.entries.map(({ id }) => id)}
            onAdd={(subject) => setEntries([...entries.filter(({ id }) => id !== subject.id), { ...subject, level }])}
          />
        )}
      </section>
      <PendingChanges changes={changes} />
      <section>
        <h3 className="mb-2 font-medium">{changes.length > 0 ? t`Who can use it until then` : t`Who can use it`}</h3>
        <PeopleWithRights
          label={t`Who can use it`}
          people={rights.people}
          more={rights.people_total - rights.people.length}
          describe={(person) => ({
            level: levelNames()[person.level],
            isNone: person.level === 'none',
            reason: explainPerson(person) + (person.sees_threads ? t`; reads the chats that others have with it` : ''),
          })}
        />
      </section>
    </FormDialog>
  )
}

const LevelOptions = ({ levels }: { levels: Level[] }) =>
  levels.map((level) => (
    <option key={level} value={level}>
      {levelNames()[level]}
    </option>
  ))
