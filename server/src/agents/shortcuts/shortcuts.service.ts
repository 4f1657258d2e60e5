import type { Caller } from '../../access/access.ts'
import type { Tx } from '../../db.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { commitChecked } from '../../platform/database/statements/commit-checked.ts'
import { invalidField } from '../../platform/errors.ts'
import type { ChangeableAgent } from '../agent/agents.access.ts'
import { recordPart } from '../agent/agents.audit.ts'
import type { AgentService } from '../agent/agents.service.ts'
import { JobNotFoundError, ShortcutNotFoundError } from '../agents.errors.ts'
import { holdJob } from '../jobs/jobs.store.ts'
import { placeholdersIn } from './render-shortcut.ts'
import type { CreateShortcut, ShortcutPath, UpdateShortcut } from './shortcuts.schemas.ts'
import {
  deleteShortcut,
  findShortcut,
  holdShortcut,
  listShortcuts,
  putShortcut,
  type ShortcutRecord,
} from './shortcuts.store.ts'

export type ShortcutService = ReturnType<typeof createShortcutService>

export interface ShortcutServiceOptions extends Pick<KernelParts, 'clock' | 'db' | 'newId' | 'writes'> {
  agents: AgentService
}

export function createShortcutService({ db, writes, newId, clock, agents }: ShortcutServiceOptions) {
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

  /** @throws ValidationError for a place that no field fills */
  async function store(
    tx: Tx,
    caller: Caller,
    action: 'shortcut.created' | 'shortcut.updated',
    agent: ChangeableAgent,
    shortcut: ShortcutRecord,
  ): Promise<ShortcutRecord> {
    const names = new Set(shortcut.fields.map(({ name }) => name))
    const unknown = placeholdersIn(shortcut.prompt).find((place) => !names.has(place))
    if (unknown) {
      const message = `has the place {{${unknown}}}, but there is no field of that name`
      throw invalidField('prompt', message)
    }
    await putShortcut(tx, caller.organizationId, shortcut)
    await recordPart(tx, caller, action, shortcut, { agent, at: shortcut.updatedAt })
    return shortcut
  }

  /** @throws JobNotFoundError */
  async function requireJob(
    tx: Tx,
    { organizationId }: Caller,
    agent: ChangeableAgent,
    jobId: string | null | undefined,
  ) {
    if (typeof jobId === 'string' && !(await holdJob(tx, organizationId, agent.id, jobId))) throw new JobNotFoundError()
  }

  return {
    get,
    ofAgent,

    async create(caller: Caller, agentId: string, { job_id, ...fields }: CreateShortcut): Promise<ShortcutRecord> {
      const agent = await agents.getOwn(caller, agentId)
      const at = isoNow(clock)
      const shortcut = { id: newId(), agentId: agent.id, ...fields, jobId: job_id, createdAt: at, updatedAt: at }
      return commitChecked(writes, async (tx) => {
        await requireJob(tx, caller, agent, job_id)
        return store(tx, caller, 'shortcut.created', agent, shortcut)
      })
    },

    async list(caller: Caller, agentId: string, { page, page_size }: { page: number; page_size: number }) {
      await agents.get(caller, agentId)
      return listShortcuts(db, caller.organizationId, agentId, { limit: page_size, offset: (page - 1) * page_size })
    },

    async update(caller: Caller, path: ShortcutPath, { job_id, ...change }: UpdateShortcut): Promise<ShortcutRecord> {
      const agent = await agents.getOwn(caller, path.agent_id)
      await ofAgent(caller.organizationId, agent.id, path.shortcut_id)
      return commitChecked(writes, async (tx) => {
        // Before the shortcut, as those who delete a job do.
        await requireJob(tx, caller, agent, job_id)
        const before = await holdShortcut(tx, caller.organizationId, agent.id, path.shortcut_id)
        if (!before) throw new ShortcutNotFoundError()
        const jobId = job_id === undefined ? before.jobId : job_id
        const shortcut = { ...before, ...change, jobId, updatedAt: isoNow(clock) }
        return store(tx, caller, 'shortcut.updated', agent, shortcut)
      })
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
