import type { Caller } from '../access/caller.ts'
import type { Db, Writes } from '../db.ts'
import { type Clock, isoNow } from '../platform/clock.ts'
import { commitChecked } from '../platform/database/commit-checked.ts'
import { ValidationError } from '../platform/errors.ts'
import type { NewId } from '../platform/ids.ts'
import { recordPart } from './agents.audit.ts'
import { ShortcutNotFoundError } from './agents.errors.ts'
import type { AgentService } from './agents.service.ts'
import type { AgentRecord } from './agents.store.ts'
import type { JobService } from './jobs.service.ts'
import { placesIn } from './render-shortcut.ts'
import type { CreateShortcut, ShortcutPath, UpdateShortcut } from './shortcuts.schemas.ts'
import { deleteShortcut, findShortcut, listShortcuts, putShortcut, type ShortcutRecord } from './shortcuts.store.ts'

export type ShortcutService = ReturnType<typeof createShortcutService>

export interface ShortcutServiceOptions {
  db: Db
  writes: Writes
  newId: NewId
  clock: Clock
  agents: AgentService
  jobs: JobService
}

export function createShortcutService({ db, writes, newId, clock, agents, jobs }: ShortcutServiceOptions) {
  /** @throws ShortcutNotFoundError */
  async function ofAgent(organizationId: string, agentId: string, shortcutId: string): Promise<ShortcutRecord> {
    const shortcut = await findShortcut(db, organizationId, agentId, shortcutId)
    if (!shortcut) throw new ShortcutNotFoundError()
    return shortcut
  }

  /** @throws AgentNotFoundError, ShortcutNotFoundError */
  async function get(caller: Caller, { agent_id, shortcut_id }: ShortcutPath): Promise<ShortcutRecord> {
    await agents.get(caller, agent_id)
    return ofAgent(caller.organizationId, agent_id, shortcut_id)
  }

  async function store(
    caller: Caller,
    action: 'shortcut.created' | 'shortcut.updated',
    agent: AgentRecord,
    shortcut: ShortcutRecord,
  ): Promise<ShortcutRecord> {
    if (shortcut.jobId !== null) await jobs.ofAgent(caller.organizationId, shortcut.agentId, shortcut.jobId)
    const names = new Set(shortcut.fields.map(({ name }) => name))
    const unknown = placesIn(shortcut.prompt).find((place) => !names.has(place))
    if (unknown) {
      const message = `has the place {{${unknown}}}, but there is no field of that name`
      throw new ValidationError(`prompt: ${message}`, [{ path: 'prompt', message }])
    }
    await writes.commit(async (tx) => {
      await putShortcut(tx, caller.organizationId, shortcut)
      await recordPart(tx, caller, action, shortcut, { agent, at: shortcut.updatedAt })
    })
    return shortcut
  }

  return {
    get,
    ofAgent,

    async create(caller: Caller, agentId: string, { job_id, ...fields }: CreateShortcut): Promise<ShortcutRecord> {
      const agent = await agents.getOwn(caller, agentId)
      const at = isoNow(clock)
      const shortcut = { id: newId(), agentId: agent.id, ...fields, jobId: job_id, createdAt: at, updatedAt: at }
      return store(caller, 'shortcut.created', agent, shortcut)
    },

    async list(caller: Caller, agentId: string, { page, page_size }: { page: number; page_size: number }) {
      await agents.get(caller, agentId)
      return listShortcuts(db, caller.organizationId, agentId, { limit: page_size, offset: (page - 1) * page_size })
    },

    async update(caller: Caller, path: ShortcutPath, { job_id, ...change }: UpdateShortcut): Promise<ShortcutRecord> {
      const agent = await agents.getOwn(caller, path.agent_id)
      const before = await ofAgent(caller.organizationId, agent.id, path.shortcut_id)
      const jobId = job_id === undefined ? before.jobId : job_id
      return store(caller, 'shortcut.updated', agent, { ...before, ...change, jobId, updatedAt: isoNow(clock) })
    },

    async remove(caller: Caller, path: ShortcutPath): Promise<void> {
      const agent = await agents.getOwn(caller, path.agent_id)
      const shortcut = await ofAgent(caller.organizationId, agent.id, path.shortcut_id)
      await commitChecked(writes, async (tx) => {
        if (!(await deleteShortcut(tx, caller.organizationId, shortcut.id))) throw new ShortcutNotFoundError()
        await recordPart(tx, caller, 'shortcut.deleted', shortcut, { agent, at: isoNow(clock) })
      })
    },
  }
}
