import type { FastifyPluginAsync } from 'fastify'
import type { AccessService, Caller } from '../access/access.ts'
import { type AgentRecord, type AgentService, listedPriceOf, type Toolbox } from '../agents/agents.ts'
import type { MessageService } from '../chats/chats.ts'
import type { Kernel } from '../kernel.ts'
import { isoNow } from '../platform/clock.ts'
import type { Models } from '../platform/models/models.ts'
import type { RetrievalService } from '../retrieval/retrieval.ts'
import type { QuotaService, UsageService } from '../usage/usage.ts'
import type { EmitEvent } from '../webhooks/webhooks.ts'
import { evaluationGivenUp, evaluationTasks } from './evaluation.tasks.ts'
import { createNightlyRuns } from './nightly/nightly-runs.ts'
import { SetRunner } from './runs/run-set.ts'
import { runRoutes } from './runs/runs.routes.ts'
import { EvaluationRunService } from './runs/runs.service.ts'
import { createCasesOfDocuments } from './sets/cases-of-documents.ts'
import { createCasesOfRatings } from './sets/cases-of-ratings.ts'
import { setRoutes } from './sets/sets.routes.ts'
import { EvaluationSetService } from './sets/sets.service.ts'
import type { CountUsage } from './sets/write-question.ts'

interface EvaluationNeeds {
  access: AccessService
  agents: AgentService
  models: Models
  toolbox: Toolbox
  retrieval: RetrievalService
  messages: MessageService
  usage: UsageService
  quotas: QuotaService
  emitEvent: EmitEvent
}

/** Question sets of agents, runs of them with measures, and comparisons of runs. */
export function createEvaluation(kernel: Kernel, needs: EvaluationNeeds) {
  const { config, publicUrl } = kernel
  const all = { ...kernel, ...needs }
  const runner = new SetRunner({
    ...all,
    isLinkHost: (host) => host === new URL(publicUrl()).hostname || config.agents.linkHosts(host),
  })
  const evaluationSets = new EvaluationSetService({
    ...all,
    ofRatings: createCasesOfRatings(all),
    ofDocuments: createCasesOfDocuments({ ...all, countUsage: countsUsage(kernel, needs) }),
  })
  const evaluationRuns = new EvaluationRunService({ ...all, runner })
  const nightlyRuns = createNightlyRuns({ ...all, evaluationRuns })
  kernel.register({
    handlers: evaluationTasks({ runner, evaluationSets }),
    givenUp: evaluationGivenUp({ runner }),
    sweeps: [nightlyRuns],
  })
  return { evaluationSets, evaluationRuns, nightlyRuns }
}

/** Counts what a model spends on questions of documents: for the sums and quotas of the person who has them made. */
const countsUsage =
  ({ writes, clock }: Kernel, { usage }: EvaluationNeeds) =>
  ({ organizationId, workspaceId, keyId }: Caller, { id: agentId }: AgentRecord): CountUsage =>
  async (model, spent) => {
    const parts = [{ agentId, model: model.id, usage: spent, ...listedPriceOf(model) }]
    const of = { workspaceId, agentId, model: model.id, virtualUserId: null, keyId, at: isoNow(clock), parts }
    const used = usage.price(of)
    const uncounted = { ...used, parts: used.parts.map((part) => ({ ...part, messages: 0 as const })) }
    await writes.commit((tx) => usage.record(tx, organizationId, uncounted))
  }

export const evaluationRoutes =
  (services: Parameters<typeof setRoutes>[0] & Parameters<typeof runRoutes>[0]): FastifyPluginAsync =>
  async (app) => {
    await app.register(setRoutes(services))
    await app.register(runRoutes(services))
  }
