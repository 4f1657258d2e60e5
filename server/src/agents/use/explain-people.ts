import {
  type Caller,
  listPeople,
  listSubjects,
  membersOfGroups,
  type NamedSubject,
  type PersonOfWorkspace,
} from '../../access/access.ts'
import type { Db } from '../../db.ts'
import type { AgentRecord } from '../agent/agents.store.ts'

/** Rights of a member of the workspace to an agent, and the reason. */
export interface PersonWithAgent {
  id: string
  name: string
  level: 'none' | 'use' | 'change'
  /** `owner`: made the agent. `threads`: is let see its threads. `nothing`: may not use it. */
  because: 'role' | 'owner' | 'member' | 'group' | 'everyone' | 'threads' | 'nothing'
  group_name: string | null
  sees_threads: boolean
}

/** Members of the caller's workspace, by name, with their rights to the agent; at most so many. */
export async function explainPeople(
  db: Db,
  { organizationId, workspaceId }: Caller,
  agent: AgentRecord,
  limit: number,
): Promise<{ people: PersonWithAgent[]; total: number }> {
  const { people, total } = await listPeople(db, organizationId, workspaceId, limit)
  const [editors, users, readers] = [
    await listSubjects(db, organizationId, { kind: 'agent', id: agent.id }),
    await listSubjects(db, organizationId, { kind: 'agent_use', id: agent.id }),
    await listSubjects(db, organizationId, { kind: 'threads', id: agent.id }),
  ]
  const groups = [...editors, ...users, ...readers].filter(({ kind }) => kind === 'group').map(({ id }) => id)
  const members = await membersOfGroups(db, organizationId, [...new Set(groups)])
  /** The entry of the person themselves, or else of a group of theirs. */
  const find = (subjects: NamedSubject[], { id, role }: PersonOfWorkspace): NamedSubject | undefined =>
    subjects.find((one) => one.kind === 'member' && one.id === id) ??
    subjects.find((one) => one.kind === 'group' && members.get(one.id)?.has(id)) ??
    (role === 'member' ? undefined : subjects.find(({ kind }) => kind === 'admins'))

  function explain(person: PersonOfWorkspace): PersonWithAgent {
    const { id, name } = person
    const reader = find(readers, person)
    const known = { id, name, group_name: null, sees_threads: reader !== undefined }
    if (person.role !== 'member') return { ...known, level: 'change', because: 'role' }
    if (id === agent.memberId) return { ...known, level: 'change', because: 'owner' }
    const editor = find(editors, person)
    if (editor) return { ...known, level: 'change', ...reasonOf(editor) }
    if (!agent.isRestricted) return { ...known, level: 'use', because: 'everyone' }
    const user = find(users, person)
    if (user) return { ...known, level: 'use', ...reasonOf(user) }
    return { ...known, ...(reader ? { level: 'use', because: 'threads' } : { level: 'none', because: 'nothing' }) }
  }

  return { people: people.map(explain), total }
}

const reasonOf = ({ kind, name }: NamedSubject): Pick<PersonWithAgent, 'because' | 'group_name'> =>
  kind === 'group' ? { because: 'group', group_name: name } : { because: 'member', group_name: null }
