import type { AgentGrant, AgentGrants } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { formatList } from '../../platform/format.ts'

/** Grants to see the chats that others have with the agent. */
export const readersOf = ({ grants }: Pick<AgentGrants, 'grants'>): AgentGrant[] =>
  grants.filter(({ level }) => level === 'threads')

/** `admins and owners of the workspace, Bob and the group Review`; undefined for nobody. */
export function namesOfReaders(readers: AgentGrant[]): string | undefined {
  return readers.length === 0 ? undefined : formatList(readers.map(nameOf))
}

function nameOf({ kind, name }: AgentGrant): string {
  if (kind === 'workspace') return t`everyone in the workspace`
  if (kind === 'admins') return t`admins and owners of the workspace`
  return kind === 'group' ? t`the group ${name}` : name
}
