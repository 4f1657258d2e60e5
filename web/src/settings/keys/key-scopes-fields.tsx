import type { CreateApiKey } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useAgents } from '../../agents/agents.ts'
import { FolderPicker } from '../../drive/drive.ts'
import { CheckField, Select } from '../../ui/fields/choice.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { TagInput } from '../../ui/fields/tag-input.tsx'
import { Fold } from '../../ui/layout/fold.tsx'
import { type Operation, useOperations } from './keys.queries.ts'

export interface ScopeChoice {
  calls: 'all' | 'chat' | 'chosen'
  /** Ids of operations, with `chosen`. */
  operations: string[]
  /** Null: any. */
  agentIds: string[] | null
  folderIds: string[] | null
  /** E-mails of virtual users. */
  people: string[] | null
}

export const NOT_NARROWED: ScopeChoice = { calls: 'all', operations: [], agentIds: null, folderIds: null, people: null }

/** Operations that a chat window needs. */
const CHAT = ['me.get', 'agents.list', 'agents.get', 'chats.*', 'messages.*', 'uploadedFiles.create']

/** Null for a key without scopes. */
export function toScopes({ calls, operations, agentIds, folderIds, people }: ScopeChoice): CreateApiKey['scopes'] {
  if (calls === 'all' && agentIds === null && folderIds === null && people === null) return null
  return {
    operations: calls === 'all' ? null : calls === 'chat' ? CHAT : operations,
    agent_ids: agentIds,
    knowledge_base_ids: folderIds,
    ...(people && { virtual_user_emails: people }),
  }
}

/** Reason why the key could not be used at all; null if it could. */
export function missingIn({ calls, operations, agentIds, folderIds, people }: ScopeChoice): string | null {
  if (calls === 'chosen' && operations.length === 0) return t`Choose at least one operation.`
  if (agentIds?.length === 0) return t`Choose at least one agent.`
  if (folderIds?.length === 0) return t`Choose at least one folder.`
  if (people?.length === 0) return t`Name at least one person.`
  return null
}

interface KeyScopesFieldsProps {
  choice: ScopeChoice
  onChange: (choice: ScopeChoice) => void
}

/** Scopes that narrow a key, on top of its role. */
export function KeyScopesFields({ choice, onChange }: KeyScopesFieldsProps) {
  const change = (some: Partial<ScopeChoice>) => onChange({ ...choice, ...some })
  return (
    <fieldset className="border-t border-line pt-4">
      <legend className="float-start mb-3 w-full text-base font-semibold">
        <Trans>Restricted to</Trans>
      </legend>
      <div className="clear-both space-y-4">
        <Field label={t`Calls`} hint={CALLS[choice.calls].about}>
          {(control) => (
            <Select
              {...control}
              value={choice.calls}
              onChange={({ target }) => change({ calls: target.value as ScopeChoice['calls'] })}
            >
              {Object.entries(CALLS).map(([calls, { name }]) => (
                <option key={calls} value={calls}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {choice.calls === 'chosen' && (
          <OperationPicker chosen={choice.operations} onChange={(operations) => change({ operations })} />
        )}
        <CheckField
          label={t`Only certain agents`}
          hint={t`And their chats. Others look as if they did not exist.`}
          checked={choice.agentIds !== null}
          onChange={({ target }) => change({ agentIds: target.checked ? [] : null })}
        />
        {choice.agentIds && <AgentPicks chosen={choice.agentIds} onChange={(agentIds) => change({ agentIds })} />}
        <CheckField
          label={t`Only certain folders`}
          hint={t`Including everything below them.`}
          checked={choice.folderIds !== null}
          onChange={({ target }) => change({ folderIds: target.checked ? [] : null })}
        />
        {choice.folderIds && (
          <FolderPicker
            label={t`Folders`}
            hint={t`It may use these folders and all folders below them.`}
            chosen={choice.folderIds}
            onChange={(folderIds) => change({ folderIds })}
          />
        )}
        <CheckField
          label={t`Only certain people`}
          hint={t`It then speaks for these end users alone: it begins and reads their chats, and no others.`}
          checked={choice.people !== null}
          onChange={({ target }) => change({ people: target.checked ? [] : null })}
        />
        {choice.people && (
          <Field label={t`E-mails`} hint={t`Enter or a comma adds one. Somebody who is not known yet becomes known.`}>
            {({ id }) => (
              <TagInput
                id={id}
                tags={choice.people!}
                onChange={(people) => change({ people })}
                maxLength={254}
                placeholder="visitor@example.com"
              />
            )}
          </Field>
        )}
        {(choice.agentIds === null) !== (choice.folderIds === null) && (
          <p className="text-sm text-muted">
            <Trans>
              {choice.agentIds ? t`It then reaches no folders` : t`It then reaches no agents`}, unless you choose some
              as well.
            </Trans>
          </p>
        )}
      </div>
    </fieldset>
  )
}

const CALLS: Record<ScopeChoice['calls'], { name: string; about: string }> = {
  all: { name: t`All that its role allows`, about: t`Nothing is left out.` },
  chat: { name: t`Chat only`, about: t`Ask agents and read the answers: what a chat window on a website needs.` },
  chosen: { name: t`Chosen ones`, about: t`Everything else is refused.` },
}

function AgentPicks({ chosen, onChange }: { chosen: string[]; onChange: (ids: string[]) => void }) {
  const { data: agents = [] } = useAgents()
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium">
        <Trans>Agents</Trans>
      </legend>
      <div className="max-h-48 space-y-2 overflow-y-auto scroll-quiet rounded-control border border-line-strong/60 bg-raised p-3">
        {agents.length === 0 && (
          <p className="text-muted">
            <Trans>There are no agents yet.</Trans>
          </p>
        )}
        {agents.map(({ id, name }) => (
          <CheckField
            key={id}
            label={name}
            checked={chosen.includes(id)}
            onChange={({ target }) => onChange(toggled(chosen, [id], target.checked))}
          />
        ))}
      </div>
    </fieldset>
  )
}

interface OperationPickerProps {
  chosen: string[]
  onChange: (ids: string[]) => void
}

/** Every operation of the API, by tag. */
function OperationPicker({ chosen, onChange }: OperationPickerProps) {
  const { data: groups = [] } = useOperations()
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium">
        <Trans>Operations</Trans>
      </legend>
      <div className="max-h-64 overflow-y-auto scroll-quiet rounded-control border border-line-strong/60 bg-raised p-1.5">
        {groups.map((group) => (
          <OperationGroup key={group.name} {...group} chosen={chosen} onChange={onChange} />
        ))}
      </div>
    </fieldset>
  )
}

function OperationGroup({
  name,
  operations,
  chosen,
  onChange,
}: OperationPickerProps & { name: string; operations: Operation[] }) {
  const ids = operations.map((operation) => operation.id)
  const count = ids.filter((one) => chosen.includes(one)).length
  return (
    <Fold
      className="rounded-control px-1.5 py-1 open:bg-hover"
      summaryClass="text-ink"
      summary={
        <span>
          {name}{' '}
          <span className="text-sm text-muted">
            <Trans>
              {count} of {ids.length}
            </Trans>
          </span>
        </span>
      }
    >
      <div className="space-y-2 py-2 ps-4">
        <CheckField
          label={t`All of them`}
          isMixed={count > 0 && count < ids.length}
          checked={count === ids.length}
          onChange={({ target }) => onChange(toggled(chosen, ids, target.checked))}
        />
        {operations.map((operation) => (
          <CheckField
            key={operation.id}
            label={operation.summary}
            hint={<span className="font-mono">{operation.id}</span>}
            checked={chosen.includes(operation.id)}
            onChange={({ target }) => onChange(toggled(chosen, [operation.id], target.checked))}
          />
        ))}
      </div>
    </Fold>
  )
}

const toggled = (all: string[], ids: string[], isChosen: boolean): string[] => {
  const others = all.filter((one) => !ids.includes(one))
  return isChosen ? [...others, ...ids] : others
}
