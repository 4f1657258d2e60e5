import { listedPriceOf } from '../agents/agents.ts'
import type { Tx } from '../db.ts'
import type { LanguageModel, ModelUsage } from '../platform/models/model.ts'
import type { UsageService } from '../usage/usage.ts'

interface Work {
  organizationId: string
  workspaceId: string
  agentId: string
  model: LanguageModel
}

/** Counts what a model spent in the background, for the sums of the workspace: it is of no message, and of nobody in particular. */
export async function recordBackgroundUsage(
  usage: Pick<UsageService, 'price' | 'record'>,
  tx: Tx,
  { organizationId, workspaceId, agentId, model }: Work,
  spent: ModelUsage,
  at: string,
): Promise<void> {
  const parts = [{ agentId, model: model.id, usage: spent, ...listedPriceOf(model) }]
  const of = { workspaceId, agentId, model: model.id, virtualUserId: null, keyId: null, at, parts }
  const used = usage.price(of)
  await usage.record(tx, organizationId, { ...used, parts: used.parts.map((part) => ({ ...part, messages: 0 })) })
}
