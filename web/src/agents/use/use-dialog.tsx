import type { Agent } from '@docent/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { explain } from '../../platform/errors.ts'
import { count } from '../../platform/format.ts'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import { Select } from '../../ui/fields/choice.tsx'
import { X } from '../../ui/icons.ts'
import { Notice } from '../../ui/notices/notice.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { FormDialog } from '../../ui/overlays/form-dialog.tsx'
import { toast } from '../../ui/overlays/toasts.tsx'
import { type AgentRights, saveAgentRights, useAgentRights } from './use.queries.ts'
import { type AgentEntry, describeChanges, describeUse, explainPerson, LEVEL_NAMES } from './use-words.ts'

interface UseDialogProps {
  agent: Agent
  onClose: () => void
}

/** Rights of members and groups to an agent: who can use and change it and why, and a form to change that. */
export function UseDialog({ agent, onClose }: UseDialogProps) {
  const { data, error, refetch } = useAgentRights(agent.id)
  if (data?.can_change) return <UseForm agent={agent} rights={data} onClose={onClose} />
  return (
    <Dialog title={titleOf(agent)} isWide onClose={onClose}>
      {data && (
        <p className="text-pretty">
          {describeUse(data)} It is up to{' '}
          {data.owner ? `${data.owner.name}, who made it, and the admins` : 'the admins'}.
        </p>
      )}
      {error && <Notice action={<Button onClick={() => refetch()}>Try again</Button>}>{explain(error)}</Notice>}
      {!data && !error && <p className="text-muted">Loading…</p>}
    </Dialog>
  )
}

const titleOf = ({ name }: Agent) => `Who can use “${name}”`

function UseForm({ agent, rights, onClose }: UseDialogProps & { rights: AgentRights }) {
  const [everyone, setEveryone] = useState(rights.everyone)
  const [entries, setEntries] = useState(rights.entries)
  // While everyone may use it, an entry to use it says nothing.
  const kept = everyone ? entries.filter(({ level }) => level === 'change') : entries
  const changes = describeChanges(rights, { everyone, entries: kept })
  const saving = useMutation({
    mutationFn: () => saveAgentRights(agent.id, everyone, kept),
    onSuccess() {
      toast('Saved')
      onClose()
    },
  })
  const setLevel = (entry: AgentEntry, level: AgentEntry['level']) =>
    setEntries(entries.map((one) => (one === entry ? { ...entry, level } : one)))
  return (
    <FormDialog
      title={titleOf(agent)}
      isWide
      save="Save"
      saving={saving}
      isDisabled={changes.length === 0}
      onSave={() => saving.mutate()}
      onClose={onClose}
    >
      <section>
        <h3 className="mb-1 font-medium">Rights given here</h3>
        <p className="mb-2 text-sm text-muted text-pretty">
          Owners and admins of the workspace{rights.owner && ` and ${rights.owner.name}, who made it,`} can use and
          change it in any case. API keys and links have rights of their own.
        </p>
        <ul aria-label="Rights to this agent" className="divide-y divide-line rounded-control border border-line">
          <li className="flex flex-wrap items-center gap-x-3 gap-y-1.5 py-2 pr-2 pl-3.5">
            <span className="min-w-32 flex-1">Everyone in the workspace</span>
            <Select
              aria-label="Everyone in the workspace"
              className="w-44"
              value={everyone ? 'use' : 'none'}
              onChange={({ target: { value } }) => setEveryone(value === 'use')}
            >
              <option value="use">{LEVEL_NAMES.use}</option>
              <option value="none">{LEVEL_NAMES.none}</option>
            </Select>
          </li>
          {kept.map((entry) => (
            <li key={entry.id} className="flex flex-wrap items-center gap-x-3 gap-y-1.5 py-2 pr-2 pl-3.5">
              <span className="min-w-32 flex-1 wrap-anywhere">
                {entry.name}
                {entry.kind === 'group' && <span className="text-sm text-muted"> (group)</span>}
              </span>
              <Select
                aria-label={`Rights of ${entry.name}`}
                className="w-44"
                value={entry.level}
                onChange={({ target: { value } }) => setLevel(entry, value as AgentEntry['level'])}
              >
                {!everyone && <option value="use">{LEVEL_NAMES.use}</option>}
                <option value="change">{LEVEL_NAMES.change}</option>
              </Select>
              <IconButton
                label={`Remove ${entry.name}`}
                icon={X}
                onClick={() => setEntries(entries.filter((one) => one !== entry))}
              />
            </li>
          ))}
        </ul>
        <AddBox
          rights={rights}
          entries={kept}
          level={everyone ? 'change' : 'use'}
          onAdd={(entry) => setEntries([...entries.filter(({ id }) => id !== entry.id), entry])}
        />
      </section>
      {changes.length > 0 && (
        <section role="status" className="rounded-control border border-line-strong/60 px-3.5 py-3">
          <h3 className="mb-1 font-medium">Once you save</h3>
          <ul className="list-disc space-y-1 pl-4 wrap-anywhere">
            {changes.map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ul>
        </section>
      )}
      <section>
        <h3 className="mb-2 font-medium">{changes.length > 0 ? 'Who can use it until then' : 'Who can use it'}</h3>
        <PeopleWithRights rights={rights} />
      </section>
    </FormDialog>
  )
}

interface AddBoxProps {
  rights: AgentRights
  entries: AgentEntry[]
  /** Level that is given at first. */
  level: AgentEntry['level']
  onAdd: (entry: AgentEntry) => void
}

/** Choice of a person or group without an entry. Owners, admins and who made the agent are not offered. */
function AddBox({ rights: { people, all_groups }, entries, level, onAdd }: AddBoxProps) {
  const taken = new Set(entries.map(({ id }) => id))
  const toEntry =
    (kind: AgentEntry['kind']) =>
    ({ id, name }: { id: string; name: string }): AgentEntry => ({ kind, id, name, level })
  const offered = {
    Groups: all_groups.map(toEntry('group')),
    People: people.filter(({ because }) => because !== 'role' && because !== 'owner').map(toEntry('member')),
  }
  const free = Object.entries(offered)
    .map(([label, list]) => [label, list.filter(({ id }) => !taken.has(id))] as const)
    .filter(([, list]) => list.length > 0)
  if (free.length === 0) return null
  return (
    <Select
      aria-label="Add a person or group"
      className="mt-2"
      value=""
      onChange={({ target: { value } }) => onAdd(free.flatMap(([, list]) => list).find(({ id }) => id === value)!)}
    >
      <option value="">Add a person or group…</option>
      {free.map(([label, list]) => (
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

/** Members of the workspace with their rights, and why. */
function PeopleWithRights({ rights: { people, people_total } }: { rights: AgentRights }) {
  if (people.length === 0) return <p className="text-muted">The workspace has no members yet.</p>
  return (
    <>
      <ul aria-label="Who can use it" className="divide-y divide-line rounded-control border border-line">
        {people.map((person) => (
          <li key={person.id} className="flex flex-wrap items-baseline gap-x-3 px-3.5 py-2">
            <span className="min-w-32 flex-1 font-medium wrap-anywhere">{person.name}</span>
            <span className={person.level === 'none' ? 'text-muted' : ''}>{LEVEL_NAMES[person.level]}</span>
            <span className="w-full text-sm text-muted wrap-anywhere">
              {explainPerson(person)}
              {person.sees_threads && '; reads the chats that others have with it'}
            </span>
          </li>
        ))}
      </ul>
      {people_total > people.length && (
        <p className="mt-2 text-sm text-muted">And {count(people_total - people.length, 'more member')}.</p>
      )}
    </>
  )
}
