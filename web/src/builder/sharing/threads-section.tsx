import type { AgentGrant, AgentGrants } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { useMe } from '../../access/access.ts'
import { type NewGrants, readersOf, saveAgentGrants, toRequest, useThreadReaders } from '../../agents/agents.ts'
import { explain } from '../../platform/errors.ts'
import { IconButton } from '../../ui/controls/button.tsx'
import { SubjectSelect } from '../../ui/fields/subject-select.tsx'
import { X } from '../../ui/icons.ts'
import { Waiting } from '../../ui/layout/waiting.tsx'
import { toast } from '../../ui/overlays/toasts.tsx'
import { PartSection } from '../part-section.tsx'

/** Choice whether others read the chats that people have with the agent. */
export function ThreadsSection({ agentId }: { agentId: string }) {
  const { data: rights, isLoading } = useThreadReaders(agentId)
  const { data: me } = useMe()
  const [isSaving, setSaving] = useState(false)
  if (isLoading) return <Waiting />
  if (!rights) return null
  const readers = readersOf(rights)
  const admins = readers.find(({ kind }) => kind === 'admins')
  const isFixed = !rights.can_change_threads || isSaving

  async function save(threads: NewGrants) {
    setSaving(true)
    const others = rights!.grants.filter(({ level }) => level !== 'threads')
    await saveAgentGrants(agentId, toRequest([...others, ...threads]))
      .catch((error) => toast(explain(error), { isError: true }))
      .finally(() => setSaving(false))
  }
  const remove = (reader: AgentGrant) => save(readers.filter((one) => one !== reader))

  return (
    <PartSection
      title={t`Who reads the chats`}
      about={t`A chat is private to the person who began it. People who are allowed to read see the chats that begin from then on, and the chat page says so. ${deciderOf(rights, me?.member?.id)}`}
    >
      <label className="flex items-center gap-2.5">
        <input
          type="checkbox"
          checked={admins !== undefined}
          disabled={isFixed}
          onChange={() => (admins ? remove(admins) : save([...readers, adminsOf(rights)]))}
          className="size-4 shrink-0 accent-accent"
        />
        <Trans>Admins and owners of the workspace</Trans>
      </label>
      <OtherReaders readers={readers.filter((one) => one !== admins)} isFixed={isFixed} onRemove={remove} />
      {rights.can_change_threads && (
        <SubjectSelect
          groups={rights.all_groups}
          people={rights.people.filter(({ because }) => because !== 'owner')}
          taken={readers.map(({ id }) => id)}
          isDisabled={isSaving}
          onAdd={({ kind, id }) => save([...readers, { kind, id, level: 'threads' }])}
        />
      )}
    </PartSection>
  )
}

interface OtherReadersProps {
  readers: AgentGrant[]
  isFixed: boolean
  onRemove: (reader: AgentGrant) => void
}

function OtherReaders({ readers, isFixed, onRemove }: OtherReadersProps) {
  if (readers.length === 0) return null
  return (
    <ul
      aria-label={t`People who read the chats`}
      className="mt-2 divide-y divide-line rounded-control border border-line"
    >
      {readers.map((reader) => {
        const name = reader.kind === 'workspace' ? t`Everyone in the workspace` : reader.name
        return (
          <li key={reader.id} className="flex min-h-11 items-center gap-3 py-1 pe-2 ps-3.5">
            <span className="min-w-0 flex-1 wrap-anywhere">
              {name}
              {reader.kind === 'group' && (
                <span className="text-sm text-muted">
                  {' '}
                  <Trans>(group)</Trans>
                </span>
              )}
            </span>
            {!isFixed && <IconButton label={t`Remove ${name}`} icon={X} onClick={() => onRemove(reader)} />}
          </li>
        )
      })}
    </ul>
  )
}

/** Admins are named by the workspace, whose id every grant to it has. */
const adminsOf = ({ workspace_id }: AgentGrants): NewGrants[number] => ({
  kind: 'admins',
  id: workspace_id,
  level: 'threads',
})

/** Sentence about who lets others read the chats, for the member with this id. */
function deciderOf({ owner }: AgentGrants, ownId: string | undefined): string {
  if (!owner) return t`It is up to the admins.`
  if (owner.id === ownId) return t`It is up to you, who made the agent.`
  return t`It is up to ${owner.name}, who made the agent.`
}
