import {
  type Caller,
  listPeople,
  membersOfGroups,
  type NamedSubject,
  type PersonOfWorkspace,
} from '../../access/access.ts'
import type { Db } from '../../db.ts'
import type { AgentRecord } from '../agent/agents.store.ts'
import type { AgentSubjects } from './agent-grants.store.ts'

/** Rights of a member of the workspace to an agent, and the reason. */
export interface PersonWithAgent {
  id: string
  name: string
  picture_url: string | null
  level: 'none' | 'use' | 'edit'
  /** `owner`: made the agent. `threads`: is let see its threads. `nothing`: may not use it. */
  because: 'role' | 'owner' | 'member' | 'group' | 'workspace' | 'no_grant' | 'threads' | 'nothing'
  group_name: string | null
  sees_threads: boolean
}

/** Members of the caller's workspace, by name, with their rights to the agent; at most this many. */
export async function explainPeople(
  db: Db,
  { organizationId, workspaceId }: Caller,
  { agent, subjects, limit }: { agent: AgentRecord; subjects: AgentSubjects; limit: number },
): Promise<{ people: PersonWithAgent[]; total: number }> {
  const { people, total } = await listPeople(db, organizationId, workspaceId, limit)
  const { edit: editors, use: users, threads: readers } = subjects
  const groups = [...editors, ...users, ...readers].filter(({ kind }) => kind === 'group').map(({ id }) => id)
  const members = await membersOfGroups(db, organizationId, [...new Set(groups)])
  /** The grant to the person themselves, or else to a group of theirs, or to all. */
  const find = (subjects: NamedSubject[], { id, role }: PersonOfWorkspace): NamedSubject | undefined =>
    subjects.find((one) => one.kind === 'member' && one.id === id) ??
    subjects.find((one) => one.kind === 'group' && members.get(one.id)?.has(id)) ??
    subjects.find(({ kind }) => kind === 'workspace' || (kind === 'admins' && role !== 'member'))

  function explain(person: PersonOfWorkspace): PersonWithAgent {
    const { id, name, pictureUrl: picture_url } = person
    const reader = find(readers, person)
    const known = { id, name, picture_url, group_name: null, sees_threads: reader !== undefined }
    if (person.role !== 'member') return { ...known, level: 'edit', because: 'role' }
    if (id === agent.memberId) return { ...known, level: 'edit', because: 'owner' }
    const editor = find(editors, person)
    if (editor) return { ...known, level: 'edit', ...reasonOf(editor) }
    const user = find(users, person)
    if (!user && !agent.isRestricted) return { ...known, level: 'use', because: 'no_grant' }
    if (user) return { ...known, level: 'use', ...reasonOf(user) }
    return { ...known, ...(reader ? { level: 'use', because: 'threads' } : { level: 'none', because: 'nothing' }) }
  }

  return { people: people.map(explain), total }
}

const reasonOf = ({ kind, name }: NamedSubject): Pick<PersonWithAgent, 'because' | 'group_name'> =>
  kind === 'group'
    ? { because: 'group', group_name: name }
    : { because: kind === 'workspace' ? 'workspace' : 'member', group_name: null }
