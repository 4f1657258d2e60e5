import type { Caller } from '../../access/access.ts'
import type { Db, Tx } from '../../db.ts'
import type { NewId } from '../../platform/ids.ts'
import type { ChangeableAgent } from '../agent/agents.access.ts'
import { recordPart } from '../agent/agents.audit.ts'
import { claimJob, deleteJob, holdJob, insertJob, type JobRecord, listJobs, updateJob } from '../jobs/jobs.store.ts'
import {
  deleteShortcut,
  detachJob,
  listShortcuts,
  putShortcut,
  type ShortcutRecord,
} from '../shortcuts/shortcuts.store.ts'
import type { FileJob, FileShortcut } from './agent-files.schemas.ts'

/** Page with everything: more than any agent has. */
const ALL = { limit: 10_000, offset: 0 }

export interface Parts {
  /** Parts by their names in the file, oldest first. */
  jobs: Map<string, JobRecord>
  shortcuts: Map<string, ShortcutRecord>
}

/** Jobs and shortcuts of an agent by the names that a file gives them: of several with one name, the later get a number. */
export async function readParts(db: Db, organizationId: string, agentId: string): Promise<Parts> {
  const { jobs } = await listJobs(db, organizationId, agentId, ALL)
  const { shortcuts } = await listShortcuts(db, organizationId, agentId, ALL)
  return { jobs: byName(jobs.reverse()), shortcuts: byName(shortcuts.reverse()) }
}

function byName<T extends { name: string }>(parts: T[]): Map<string, T> {
  const taken = new Set(parts.map(({ name }) => name))
  const named = new Map<string, T>()
  for (const part of parts) {
    let name = part.name
    for (let number = 2; named.has(name) || (name !== part.name && taken.has(name)); number++)
      name = `${part.name.slice(0, 240)} (${number})`
    named.set(name, part)
  }
  return named
}

/** A job of a file, its folders by id. */
export type WantedJob = Omit<FileJob, 'knowledge_bases'> & Pick<JobRecord, 'knowledgeBaseIds'>

export interface WantedParts {
  jobs: WantedJob[]
  shortcuts: FileShortcut[]
}

/** Makes jobs and shortcuts of an agent those that are wanted: others are deleted. */
export async function writeParts(
  tx: Tx,
  { caller, agent, at, newId }: { caller: Caller; agent: ChangeableAgent; at: string; newId: NewId },
  wanted: WantedParts,
): Promise<void> {
  const { organizationId } = caller
  const before = await readParts(tx, organizationId, agent.id)
  const record = (action: Parameters<typeof recordPart>[2], part: { id: string; name: string }) =>
    recordPart(tx, caller, action, part, { agent, at })
  const jobIds = new Map<string, string>()
  for (const job of wanted.jobs) {
    const found = before.jobs.get(job.name)
    // Held, so that the shortcuts below can refer to it; somebody may have deleted it just now.
    const known = found && (await holdJob(tx, organizationId, agent.id, found.id)) ? found : undefined
    const id = known?.id ?? newId()
    jobIds.set(job.name, id)
    if (!known) {
      await insertJob(tx, organizationId, { id, agentId: agent.id, ...job, createdAt: at, updatedAt: at })
      await record('job.created', { id, name: job.name })
    } else if (!isSameJob(known, job)) {
      await updateJob(tx, organizationId, { agentId: agent.id, id }, job, at)
      await record('job.updated', { id, name: job.name })
    }
  }
  for (const { job, ...shortcut } of wanted.shortcuts) {
    const known = before.shortcuts.get(shortcut.name)
    const jobId = job === null ? null : jobIds.get(job)!
    const isSame =
      known?.name === shortcut.name &&
      shortcut.prompt === known.prompt &&
      same(shortcut.fields, known.fields) &&
      known.jobId === jobId
    if (isSame) continue
    const made = { id: newId(), agentId: agent.id, createdAt: at, ...known, ...shortcut, jobId, updatedAt: at }
    await putShortcut(tx, organizationId, made)
    await record(known ? 'shortcut.updated' : 'shortcut.created', made)
  }
  await removeOthers(tx, { organizationId, agent, record }, before, wanted)
}

async function removeOthers(
  tx: Tx,
  {
    organizationId,
    agent,
    record,
  }: {
    organizationId: string
    agent: ChangeableAgent
    record: (action: 'job.deleted' | 'shortcut.deleted', part: { id: string; name: string }) => Promise<void>
  },
  before: Parts,
  wanted: WantedParts,
): Promise<void> {
  const jobs = new Set(wanted.jobs.map(({ name }) => name))
  const shortcuts = new Set(wanted.shortcuts.map(({ name }) => name))
  for (const [name, shortcut] of before.shortcuts)
    if (!shortcuts.has(name) && (await deleteShortcut(tx, organizationId, shortcut.id)))
      await record('shortcut.deleted', shortcut)
  for (const [name, job] of before.jobs) {
    if (jobs.has(name) || !(await claimJob(tx, organizationId, agent.id, job.id))) continue
    await detachJob(tx, organizationId, job.id)
    await deleteJob(tx, organizationId, job.id)
    await record('job.deleted', job)
  }
}

const isSameJob = (known: JobRecord, job: WantedJob) =>
  known.name === job.name &&
  known.instructions === job.instructions &&
  same(known.tools, job.tools) &&
  same(known.filters, job.filters) &&
  same(known.knowledgeBaseIds?.toSorted(), job.knowledgeBaseIds?.toSorted())

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
