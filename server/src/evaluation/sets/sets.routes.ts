import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { reach } from '../../access/access.ts'
import { AgentPath } from '../../agents/agents.ts'
import { failures } from '../../platform/http/failures.ts'
import { Deleted, pageOf } from '../../platform/http/validation/schemas.ts'
import { toWireSchedule } from '../nightly/schedule.schemas.ts'
import type { CaseRecord } from './cases.store.ts'
import {
  AddCases,
  CaseList,
  CaseListQuery,
  CasePath,
  CaseReply,
  CasesAdded,
  CreateSet,
  SetList,
  SetListQuery,
  SetPath,
  SetReply,
  UpdateCase,
  UpdateSet,
} from './sets.schemas.ts'
import type { EvaluationSetService } from './sets.service.ts'
import type { EvaluationSetRecord } from './sets.store.ts'

const tags = ['Evaluation']
const ofAgent = { who: 'manage_agents', on: [reach.agent('change')] } as const
const ofSet = { who: 'manage_agents', on: [...ofAgent.on, reach.part('evaluation_set')] } as const
const ofCase = { who: 'manage_agents', on: [...ofSet.on, reach.part('evaluation_case')] } as const

type App = Parameters<FastifyPluginAsyncZod>[0]

export const setRoutes =
  ({ evaluationSets: sets }: { evaluationSets: EvaluationSetService }): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/agents/:agent_id/evaluation-sets',
      {
        config: { access: ofAgent },
        schema: {
          operationId: 'evaluation.sets.create',
          tags,
          summary: 'Make a question set for an agent',
          params: AgentPath,
          body: CreateSet,
          response: { 200: SetReply, ...failures(400, 401, 403, 404, 409) },
        },
      },
      async ({ caller, params, body }) => {
        const set = await sets.create(caller, params.agent_id, body)
        return { data: toWireSet(set, body.cases.length) }
      },
    )

    app.get(
      '/agents/:agent_id/evaluation-sets',
      {
        config: { access: ofAgent },
        schema: {
          operationId: 'evaluation.sets.list',
          tags,
          summary: 'List the question sets of an agent, newest first',
          params: AgentPath,
          querystring: SetListQuery,
          response: { 200: SetList, ...failures(400, 401, 403, 404) },
        },
      },
      async ({ caller, params, query }) => {
        const found = await sets.list(caller, params.agent_id, query)
        const counts = await sets.countCases(caller, found.sets)
        const shown = found.sets.map((set) => toWireSet(set, counts.get(set.id) ?? 0))
        return { data: { evaluation_sets: shown, ...pageOf(query, found.total) } }
      },
    )

    app.get(
      '/agents/:agent_id/evaluation-sets/:evaluation_set_id',
      {
        config: { access: ofSet },
        schema: {
          operationId: 'evaluation.sets.get',
          tags,
          summary: 'Get a question set',
          params: SetPath,
          response: { 200: SetReply, ...failures(401, 403, 404) },
        },
      },
      async ({ caller, params }) => ({ data: await shownSet(caller, await sets.get(caller, params)) }),
    )

    app.patch(
      '/agents/:agent_id/evaluation-sets/:evaluation_set_id',
      {
        config: { access: ofSet },
        schema: {
          operationId: 'evaluation.sets.update',
          tags,
          summary: 'Change a question set; what is left out stays',
          params: SetPath,
          body: UpdateSet,
          response: { 200: SetReply, ...failures(400, 401, 403, 404) },
        },
      },
      async ({ caller, params, body }) => ({ data: await shownSet(caller, await sets.update(caller, params, body)) }),
    )

    app.delete(
      '/agents/:agent_id/evaluation-sets/:evaluation_set_id',
      {
        config: { access: ofSet },
        schema: {
          operationId: 'evaluation.sets.delete',
          tags,
          summary: 'Delete a question set with its cases and runs',
          params: SetPath,
          response: { 200: Deleted, ...failures(401, 403, 404) },
        },
      },
      async ({ caller, params }) => {
        await sets.remove(caller, params)
        return { data: { deleted: true as const } }
      },
    )

    addCaseRoutes(app, sets)

    async function shownSet(caller: Parameters<typeof sets.countCases>[0], set: EvaluationSetRecord) {
      return toWireSet(set, (await sets.countCases(caller, [set])).get(set.id) ?? 0)
    }
  }

function addCaseRoutes(app: App, sets: EvaluationSetService): void {
  app.get(
    '/agents/:agent_id/evaluation-sets/:evaluation_set_id/cases',
    {
      config: { access: ofSet },
      schema: {
        operationId: 'evaluation.cases.list',
        tags,
        summary: 'List the cases of a question set, oldest first',
        description: 'Cases that expect a file which you may not read are left out.',
        params: SetPath,
        querystring: CaseListQuery,
        response: { 200: CaseList, ...failures(400, 401, 403, 404) },
      },
    },
    async ({ caller, params, query }) => {
      const { page, page_size } = query
      const all = await sets.listCases(caller, params)
      const shown = all.slice((page - 1) * page_size, page * page_size)
      const titles = await sets.titlesOf(caller, shown)
      return { data: { cases: shown.map((one) => toWireCase(one, titles)), ...pageOf(query, all.length) } }
    },
  )

  app.post(
    '/agents/:agent_id/evaluation-sets/:evaluation_set_id/cases',
    {
      config: { access: ofSet },
      schema: {
        operationId: 'evaluation.cases.add',
        tags,
        summary: 'Add cases to a question set: given, of a table, of rated answers, or made from documents',
        params: SetPath,
        body: AddCases,
        response: { 200: CasesAdded, ...failures(400, 401, 403, 404, 409, 429) },
      },
    },
    async ({ caller, params, body, signal }) => ({ data: await sets.addCases(caller, params, body, signal) }),
  )

  app.patch(
    '/agents/:agent_id/evaluation-sets/:evaluation_set_id/cases/:evaluation_case_id',
    {
      config: { access: ofCase },
      schema: {
        operationId: 'evaluation.cases.update',
        tags,
        summary: 'Change a case; what is left out stays',
        params: CasePath,
        body: UpdateCase,
        response: { 200: CaseReply, ...failures(400, 401, 403, 404) },
      },
    },
    async ({ caller, params, body }) => {
      const changed = await sets.updateCase(caller, params, body)
      return { data: toWireCase(changed, await sets.titlesOf(caller, [changed])) }
    },
  )

  app.delete(
    '/agents/:agent_id/evaluation-sets/:evaluation_set_id/cases/:evaluation_case_id',
    {
      config: { access: ofCase },
      schema: {
        operationId: 'evaluation.cases.delete',
        tags,
        summary: 'Delete a case; runs that asked it keep their results',
        params: CasePath,
        response: { 200: Deleted, ...failures(401, 403, 404) },
      },
    },
    async ({ caller, params }) => {
      await sets.removeCase(caller, params)
      return { data: { deleted: true as const } }
    },
  )
}

const toWireSet = (set: EvaluationSetRecord, caseCount: number) => ({
  id: set.id,
  agent_id: set.agentId,
  name: set.name,
  judge_model: set.judgeModel,
  case_count: caseCount,
  schedule: toWireSchedule(set.schedule),
  next_run_at: set.nextRunAt,
  schedule_problem: set.scheduleProblem,
  created_at: set.createdAt,
  updated_at: set.updatedAt,
})

const toWireCase = (one: CaseRecord, titles: Map<string, string>) => ({
  id: one.id,
  question: one.question,
  expected_answers: one.expectedAnswers,
  reference_answer: one.referenceAnswer,
  expected_files: one.expectedFiles.map(({ id, passage }) => ({
    data_source_id: id,
    title: titles.get(id) ?? null,
    passage,
  })),
  tags: one.tags,
  answerable: one.isAnswerable,
  source: one.source,
  created_at: one.createdAt,
  updated_at: one.updatedAt,
})
