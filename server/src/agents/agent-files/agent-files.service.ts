import type { Caller } from '../../access/access.ts'
import type { NewId } from '../../platform/ids.ts'
import type { WriteParts } from '../agent/agents.service.ts'
import type { AgentRecord } from '../agent/agents.store.ts'
import { AgentFile, type Change, type ImportAgent, type Unmapped } from './agent-files.schemas.ts'
import { compareFiles } from './compare-files.ts'
import { type MapFileNeeds, mapFile } from './map-file.ts'
import { writeParts } from './parts.ts'
import { withoutSkills, withSkills } from './skills.ts'
import { exportFile, exportMapped, type ToFileNeeds } from './to-file.ts'

export type AgentFiles = ReturnType<typeof createAgentFiles>

export interface ImportOutcome {
  outcome: 'created' | 'updated' | 'unchanged'
  /** Undefined if a dry run would make it. */
  agent: AgentRecord | undefined
  changes: Change[]
  unmapped: Unmapped[]
}

/** Agents as files: with their jobs and shortcuts, folders by path and other agents by name. */
export function createAgentFiles(needs: MapFileNeeds & ToFileNeeds & { newId: NewId }) {
  const { agents, newId } = needs

  return {
    /** @throws AgentNotFoundError */
    async export(caller: Caller, agentId: string, { jobs }: { jobs: 'fields' | 'skills' }) {
      const exported = await exportFile(needs, caller, await agents.get(caller, agentId))
      return jobs === 'fields' ? exported : { ...exported, agent: await withSkills(exported.agent) }
    },

    /**
     * Makes an agent of a file, or makes one like it; an agent that is so already is not touched.
     * @throws AgentNotFoundError, ForbiddenError
     */
    async import(caller: Caller, { agent: sent, agent_id, dry_run }: ImportAgent): Promise<ImportOutcome> {
      const { file, unmapped: left } = await withoutSkills(sent)
      const before = agent_id === null ? undefined : await agents.getOwn(caller, agent_id)
      const mapped = await mapFile(needs, caller, file, before)
      const changes = compareFiles(
        before && (await exportFile(needs, caller, before)).agent,
        await exportMapped(needs, caller, file, mapped, before),
        AgentFile.parse({ name: file.name }),
      )
      const { fields } = mapped
      const unmapped = [...left, ...mapped.unmapped]
      const outcome = !before ? 'created' : changes.length > 0 ? 'updated' : 'unchanged'
      if (dry_run || outcome === 'unchanged') return { outcome, agent: before, changes, unmapped }
      const write: WriteParts = (tx, agent, at) => writeParts(tx, { caller, agent, at, newId }, mapped)
      const agent = before
        ? await agents.update(caller, before.id, fields, write)
        : await agents.create(caller, fields, write)
      return { outcome, agent, changes, unmapped }
    },
  }
}
