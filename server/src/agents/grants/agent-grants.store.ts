import { listSubjects, type NamedSubject, type Subject, setSubjects } from '../../access/access.ts'
import type { Db, Tx } from '../../db.ts'

/** Levels of grants, with the rows that hold them. */
const STORED = {
  use: { kind: 'agent_use', level: 'use' },
  edit: { kind: 'agent', level: 'change' },
  threads: { kind: 'threads', level: 'read' },
} as const

export type AgentLevel = keyof typeof STORED

/** Subjects that have each level. */
export type AgentSubjects = Record<AgentLevel, NamedSubject[]>

export async function listAgentSubjects(db: Db, organizationId: string, id: string): Promise<AgentSubjects> {
  const listOf = (level: AgentLevel) => listSubjects(db, organizationId, { kind: STORED[level].kind, id })
  return { edit: await listOf('edit'), use: await listOf('use'), threads: await listOf('threads') }
}

/** These subjects have the level from now on, and no others. */
export function setAgentSubjects(
  tx: Tx,
  organizationId: string,
  id: string,
  { level, subjects, at }: { level: AgentLevel; subjects: Subject[]; at: string },
): Promise<void> {
  const { kind, level: stored } = STORED[level]
  return setSubjects(tx, organizationId, { kind, id }, { subjects, level: stored, at })
}
