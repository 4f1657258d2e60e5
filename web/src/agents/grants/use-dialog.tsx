import type { Agent, AgentGrants } from '@docent/sdk'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { PersonFace } from '../../access/access.ts'
import { IconButton } from '../../ui/controls/button.tsx'
import { Select } from '../../ui/fields/choice.tsx'
import { SubjectSelect } from '../../ui/fields/subject-select.tsx'
import { X } from '../../ui/icons.ts'
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
          <li className="flex flex-wrap items-center gap-x-3 gap-y-1.5 py-2 pe-2 ps-3.5">
            <span className="min-w-32 flex-1">
              <Trans>Everyone in the workspace</Trans>
            </span>
            <Select
              aria-label={t`Everyone in the workspace`}
              className="w-44"
              value={everyone}
              onChange={({ target: { value } }) => setEveryone(value as Level)}
            >
              <LevelOptions levels={['none', 'use', 'edit']} />
            </Select>
          </li>
          {chosen.entries.map((entry) => (
            <li key={entry.id} className="flex flex-wrap items-center gap-x-3 gap-y-1.5 py-2 pe-2 ps-3.5">
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
                aria-label={t`Rights of ${entry.name}`}
                className="w-44"
                value={entry.level}
                onChange={({ target: { value } }) => setLevel(entry, value as AgentEntry['level'])}
              >
                <LevelOptions levels={everyone === 'none' ? ['use', 'edit'] : ['edit']} />
              </Select>
              <IconButton
                label={t`Remove ${entry.name}`}
                icon={X}
                onClick={() => setEntries(entries.filter((one) => one !== entry))}
              />
            </li>
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
      {changes.length > 0 && (
        <section role="status" className="rounded-control border border-line-strong/60 px-3.5 py-3">
          <h3 className="mb-1 font-medium">
            <Trans>Once you save</Trans>
          </h3>
          <ul className="list-disc space-y-1 ps-4 wrap-anywhere">
            {changes.map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ul>
        </section>
      )}
      <section>
        <h3 className="mb-2 font-medium">{changes.length > 0 ? t`Who can use it until then` : t`Who can use it`}</h3>
        <PeopleWithRights rights={rights} />
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

/** Members of the workspace with their rights, and why. */
function PeopleWithRights({ rights: { people, people_total } }: { rights: AgentGrants }) {
  if (people.length === 0)
    return (
      <p className="text-muted">
        <Trans>The workspace has no members yet.</Trans>
      </p>
    )
  return (
    <>
      <ul aria-label={t`Who can use it`} className="divide-y divide-line rounded-control border border-line">
        {people.map((person) => (
          <li key={person.id} className="flex flex-wrap items-center gap-x-3 px-3.5 py-2">
            <PersonFace name={person.name} id={person.id} pictureUrl={person.picture_url} className="size-7 text-xs" />
            <span className="min-w-32 flex-1 font-medium wrap-anywhere">{person.name}</span>
            <span className={person.level === 'none' ? 'text-muted' : ''}>{levelNames()[person.level]}</span>
            <span className="w-full text-sm text-muted wrap-anywhere">
              {explainPerson(person)}
              {person.sees_threads && t`; reads the chats that others have with it`}
            </span>
          </li>
        ))}
      </ul>
      {people_total > people.length && (
        <p className="mt-2 text-sm text-muted">
          <Trans>And {plural(people_total - people.length, { one: '# more member', other: '# more members' })}.</Trans>
        </p>
      )}
    </>
  )
}
