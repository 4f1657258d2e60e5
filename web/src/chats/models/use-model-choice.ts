import { useMay } from '../../access/access.ts'
import { useAgent, useModels } from '../../agents/agents.ts'

export interface ModelChoice {
  /** `provider/model` of the agent. */
  ofAgent: string
  /** All that can be chosen, that of the agent first. */
  all: string[]
}

/** Models that this person may choose for an answer; undefined if they may not, or there is only one. */
export function useModelChoice(agentId: string): ModelChoice | undefined {
  const may = useMay('manage_agents')
  const { data: agent } = useAgent(agentId)
  const { data: models } = useModels(may)
  if (!may || !agent || !models) return undefined
  const ofAgent = agent.model ?? models.default_model
  const all = [...new Set([ofAgent, ...models.providers.flatMap((provider) => provider.models)])]
  return all.length > 1 ? { ofAgent, all } : undefined
}

/** Name of a model without its provider. */
export const nameOf = (model: string): string => model.slice(model.indexOf('/') + 1)
