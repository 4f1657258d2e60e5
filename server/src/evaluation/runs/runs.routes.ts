import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { reach } from '../../access/access.ts'
import { AgentPath } from '../../agents/agents.ts'
import { failures } from '../../platform/http/failures.ts'
import { attachment } from '../../platform/http/replies/attachment.ts'
import { pageOf } from '../../platform/http/validation/schemas.ts'
import { SetPath } from '../sets/sets.schemas.ts'
import { toCsv } from './results.csv.ts'
import { toWireResult } from './results.wire.ts'
import {
  CompareQuery,
  ComparisonReply,
  ResultList,
  ResultListQuery,
  RunList,
  RunListQuery,
  RunPath,
  RunReply,
} from './runs.schemas.ts'
import type { EvaluationRunService } from './runs.service.ts'
import { toWireRun } from './runs.wire.ts'

const tags = ['Evaluation']
const access = { who: 'manage_agents', on: [reach.agent('change'), reach.part('evaluation_run')] } as const

/** Results that are read at once for a table. */
const AT_ONCE = 50

export const runRoutes =
  ({ evaluationRuns: runs }: { evaluationRuns: EvaluationRunService }): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/agents/:agent_id/evaluation-sets/:evaluation_set_id/runs',
      {
        config: { access: { who: 'manage_agents', on: [reach.agent('change'), reach.part('evaluation_set')] } },
        schema: {
          operationId: 'evaluation.runs.start',
          tags,
          summary: 'Ask an agent the questions of a set, in the background, and measure the answers',
          description:
            'Each case is answered as a question of yours would be: with your rights and within your quotas, but in no chat. The agent answers as it is defined now, also if it is changed meanwhile.',
          params: SetPath,
          response: { 200: RunReply, ...failures(400, 401, 403, 404, 409, 429) },
        },
      },
      async ({ caller, params }) => ({ data: toWireRun(await runs.start(caller, params)) }),
    )

    app.get(
      '/agents/:agent_id/evaluation-runs',
      {
        config: { access: { who: 'manage_agents', on: [reach.agent('change')] } },
        schema: {
          operationId: 'evaluation.runs.list',
          tags,
          summary: 'List the runs of an agent, or of one of its sets, newest first',
          params: AgentPath,
          querystring: RunListQuery,
          response: { 200: RunList, ...failures(400, 401, 403, 404) },
        },
      },
      async ({ caller, params, query }) => {
        const found = await runs.list(caller, params.agent_id, query)
        return { data: { evaluation_runs: found.runs.map(toWireRun), ...pageOf(query, found.total) } }
      },
    )

    app.get(
      '/agents/:agent_id/evaluation-runs/:evaluation_run_id',
      {
        config: { access },
        schema: {
          operationId: 'evaluation.runs.get',
          tags,
          summary: 'Get a run with its progress and, once it has ended, its measures in sum',
          params: RunPath,
          response: { 200: RunReply, ...failures(401, 403, 404) },
        },
      },
      async ({ caller, params }) => ({ data: toWireRun(await runs.get(caller, params)) }),
    )

    app.post(
      '/agents/:agent_id/evaluation-runs/:evaluation_run_id/cancel',
      {
        config: { access },
        schema: {
          operationId: 'evaluation.runs.cancel',
          tags,
          summary: 'End a run; the results that it has stay',
          params: RunPath,
          response: { 200: RunReply, ...failures(401, 403, 404) },
        },
      },
      async ({ caller, params }) => ({ data: toWireRun(await runs.cancel(caller, params)) }),
    )

    addResultRoutes(app, runs)
  }

function addResultRoutes(app: Parameters<FastifyPluginAsyncZod>[0], runs: EvaluationRunService): void {
  app.get(
    '/agents/:agent_id/evaluation-runs/:evaluation_run_id/results',
    {
      config: { access },
      schema: {
        operationId: 'evaluation.runs.results',
        tags,
        summary: 'List the results of a run, case by case',
        description: 'Texts are shown only where you may read now all files that were expected and found.',
        params: RunPath,
        querystring: ResultListQuery,
        response: { 200: ResultList, ...failures(400, 401, 403, 404) },
      },
    },
    async ({ caller, params, query }) => {
      const { page, page_size } = query
      const range = { limit: page_size, offset: (page - 1) * page_size }
      const { results, total } = await runs.results(caller, params, range)
      const shown = results.map(({ result, isShown }) => toWireResult(result, isShown))
      return { data: { results: shown, ...pageOf(query, total) } }
    },
  )

  app.get(
    '/agents/:agent_id/evaluation-runs/:evaluation_run_id/results.csv',
    {
      config: { access },
      schema: {
        operationId: 'evaluation.runs.export',
        tags,
        summary: 'Get the results of a run as a table, comma-separated',
        params: RunPath,
        response: {
          200: { description: 'A line for each case', content: { 'text/csv': { schema: z.string() } } },
          ...failures(401, 403, 404),
        },
      },
    },
    async ({ caller, params }, reply) => {
      const all: ReturnType<typeof toWireResult>[] = []
      for (let offset = 0, total = 1; offset < total; offset += AT_ONCE) {
        const page = await runs.results(caller, params, { limit: AT_ONCE, offset })
        total = page.total
        all.push(...page.results.map(({ result, isShown }) => toWireResult(result, isShown)))
      }
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', attachment(`evaluation-${params.evaluation_run_id}.csv`))
        .send(toCsv(all) as never)
    },
  )

  app.get(
    '/agents/:agent_id/evaluation-runs/:evaluation_run_id/compare',
    {
      config: { access: { ...access, on: [...access.on, reach.part('evaluation_run', 'query.before_id')] } },
      schema: {
        operationId: 'evaluation.runs.compare',
        tags,
        summary: 'Compare a run with an earlier one of the same set, case by case',
        params: RunPath,
        querystring: CompareQuery,
        response: { 200: ComparisonReply, ...failures(400, 401, 403, 404) },
      },
    },
    async ({ caller, params, query }) => {
      const { before, after, changedFields, measures, cases } = await runs.compare(caller, params, query.before_id)
      return {
        data: {
          before: toWireRun(before),
          after: toWireRun(after),
          changed_fields: changedFields,
          measures,
          cases: cases.map(({ caseId, ...one }) => ({ case_id: caseId, ...one })),
        },
      }
    },
  )
}
