import { converted } from '../http/call.ts'
import type { CallOptions, Transport } from '../http/transport.ts'
import type { Body, Query } from '../operations.ts'

/**
 * Question sets of an agent, runs of them, and comparisons of runs; for those who may change the agent. What is not there:
 * DocentError `EVALUATION_SET_NOT_FOUND`, `EVALUATION_CASE_NOT_FOUND` or `EVALUATION_RUN_NOT_FOUND`.
 */
export const evaluation = (transport: Transport) => ({
  sets: {
    create: (agentId: string, set: Body<'evaluation.sets.create'>, options?: CallOptions) =>
      transport.data('POST /agents/{agent_id}/evaluation-sets', [agentId], { ...options, body: set }),

    /** Newest first, 50 a page by default. */
    list: (agentId: string, query: Query<'evaluation.sets.list'> = {}, options?: CallOptions) =>
      transport.list('GET /agents/{agent_id}/evaluation-sets', [agentId], { ...options, query }),

    get: (agentId: string, setId: string, options?: CallOptions) =>
      transport.data('GET /agents/{agent_id}/evaluation-sets/{evaluation_set_id}', [agentId, setId], options),

    update: (agentId: string, setId: string, changes: Body<'evaluation.sets.update'>, options?: CallOptions) =>
      transport.data('PATCH /agents/{agent_id}/evaluation-sets/{evaluation_set_id}', [agentId, setId], {
        ...options,
        body: changes,
      }),

    /** Deletes the set with its cases and runs. */
    delete: (agentId: string, setId: string, options?: CallOptions) =>
      transport.data('DELETE /agents/{agent_id}/evaluation-sets/{evaluation_set_id}', [agentId, setId], options),
  },

  cases: {
    /** Oldest first, 100 a page by default. */
    list: (agentId: string, setId: string, query: Query<'evaluation.cases.list'> = {}, options?: CallOptions) =>
      transport.list('GET /agents/{agent_id}/evaluation-sets/{evaluation_set_id}/cases', [agentId, setId], {
        ...options,
        query,
      }),

    /** All or none: given, of a table, of rated answers, or made from documents, as `from` says. */
    add: (agentId: string, setId: string, cases: Body<'evaluation.cases.add'>, options?: CallOptions) =>
      transport.data('POST /agents/{agent_id}/evaluation-sets/{evaluation_set_id}/cases', [agentId, setId], {
        ...options,
        body: cases,
      }),

    update: (
      agentId: string,
      setId: string,
      caseId: string,
      changes: Body<'evaluation.cases.update'>,
      options?: CallOptions,
    ) =>
      transport.data(
        'PATCH /agents/{agent_id}/evaluation-sets/{evaluation_set_id}/cases/{evaluation_case_id}',
        [agentId, setId, caseId],
        { ...options, body: changes },
      ),

    delete: (agentId: string, setId: string, caseId: string, options?: CallOptions) =>
      transport.data(
        'DELETE /agents/{agent_id}/evaluation-sets/{evaluation_set_id}/cases/{evaluation_case_id}',
        [agentId, setId, caseId],
        options,
      ),
  },

  runs: {
    /** Begins it in the background: `get` tells how far it is. */
    start: (agentId: string, setId: string, options?: CallOptions) =>
      transport.data('POST /agents/{agent_id}/evaluation-sets/{evaluation_set_id}/runs', [agentId, setId], options),

    /** Newest first, of all sets or of `evaluation_set_id`. */
    list: (agentId: string, query: Query<'evaluation.runs.list'> = {}, options?: CallOptions) =>
      transport.list('GET /agents/{agent_id}/evaluation-runs', [agentId], { ...options, query }),

    get: (agentId: string, runId: string, options?: CallOptions) =>
      transport.data('GET /agents/{agent_id}/evaluation-runs/{evaluation_run_id}', [agentId, runId], options),

    /** Ends it; the results that it has stay. */
    cancel: (agentId: string, runId: string, options?: CallOptions) =>
      transport.data('POST /agents/{agent_id}/evaluation-runs/{evaluation_run_id}/cancel', [agentId, runId], options),

    /** Case by case; texts only where the caller may read now all files that were expected and found. */
    results: (agentId: string, runId: string, query: Query<'evaluation.runs.results'> = {}, options?: CallOptions) =>
      transport.list('GET /agents/{agent_id}/evaluation-runs/{evaluation_run_id}/results', [agentId, runId], {
        ...options,
        query,
      }),

    /** Results as a table, comma-separated. */
    export: (agentId: string, runId: string, options?: CallOptions) =>
      converted(
        transport.open(
          'GET /agents/{agent_id}/evaluation-runs/{evaluation_run_id}/results.csv',
          [agentId, runId],
          options,
        ),
        (response) => response.text(),
      ),

    /** @param beforeId the run of the same set with which it is compared */
    compare: (agentId: string, runId: string, beforeId: string, options?: CallOptions) =>
      transport.data('GET /agents/{agent_id}/evaluation-runs/{evaluation_run_id}/compare', [agentId, runId], {
        ...options,
        query: { before_id: beforeId },
      }),
  },
})
