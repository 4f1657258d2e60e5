import type { Caller } from '../access/access.ts'
import { AgentNotFoundError, type AgentOutline, type AgentService } from '../agents/agents.ts'
import { isId } from '../platform/ids.ts'
import { ModelAmbiguousError, ModelNotFoundError } from './openai-errors.ts'

/** An agent as a model of OpenAI's list. */
export interface AgentModel {
  id: string
  object: 'model'
  /** Seconds since 1970. */
  created: number
  owned_by: string
  /** Name of the agent; clients that know the field show it. */
  name: string
  description: string
}

const toModel = ({ id, name, description }: AgentOutline, owned_by: string): AgentModel => ({
  id,
  object: 'model',
  created: Number.parseInt(id.slice(0, 8), 16),
  owned_by,
  name,
  description,
})

/** Agents that the caller may ask, oldest first. */
export async function listModels(agents: AgentService, caller: Caller): Promise<AgentModel[]> {
  return (await agents.outlines(caller)).map((agent) => toModel(agent, caller.workspaceId))
}

/** Id of the agent that a request names by id, or by a name that no other agent has. @throws as `pickModel` */
export async function findAgentId(agents: AgentService, caller: Caller, model: string): Promise<string> {
  const isInScope = (id: string) => !caller.scopes?.agent_ids || caller.scopes.agent_ids.includes(id)
  if (isId(model) && isInScope(model)) {
    try {
      return (await agents.getRecent(caller, model)).id
    } catch (error) {
      if (!(error instanceof AgentNotFoundError)) throw error
    }
  }
  return pickModel(await listModels(agents, caller), model).id
}

/** The model with this id, or else with this name if no other has it. @throws ModelNotFoundError, ModelAmbiguousError */
export function pickModel(models: AgentModel[], model: string): AgentModel {
  const named = models.filter(({ name }) => name === model)
  const found = models.find(({ id }) => id === model) ?? named[0]
  if (!found) throw new ModelNotFoundError(model)
  if (found.id !== model && named.length > 1)
    throw new ModelAmbiguousError(
      model,
      named.map(({ id }) => id),
    )
  return found
}
