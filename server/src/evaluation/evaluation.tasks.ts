import { type GivenUpHandlers, staysAmongTheDead } from '../queue/troubles/given-up.ts'
import type { TaskHandlers } from '../queue/worker.ts'
import type { SetRunner } from './runs/run-set.ts'
import type { EvaluationSetService } from './sets/sets.service.ts'

type Kind = 'evaluation.run' | 'evaluation.remove'

export const evaluationTasks = ({
  runner,
  evaluationSets,
}: {
  runner: SetRunner
  evaluationSets: EvaluationSetService
}): Pick<TaskHandlers, Kind> => ({
  'evaluation.run': ({ runId }, context) => runner.run(runId, context),
  'evaluation.remove': ({ agentId }, { organizationId }) => evaluationSets.removeOf(organizationId, agentId),
})

const SERVER_PROBLEM = 'The run ended because of a problem on the server; its log has the reason'

export const evaluationGivenUp = ({ runner }: { runner: SetRunner }): Pick<GivenUpHandlers, Kind> => ({
  async 'evaluation.run'({ runId }, { organizationId }) {
    await runner.end({ id: runId, organizationId }, 'failed', SERVER_PROBLEM)
  },
  'evaluation.remove': staysAmongTheDead('nobody reaches the sets of an agent that is gone'),
})
