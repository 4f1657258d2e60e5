import { LimitReachedError, NoAnswerError } from '../../agents/agents.ts'
import { DomainError } from '../../platform/errors.ts'
import { ModelError } from '../../platform/models/failures/model.errors.ts'
import { type Metrics, SECONDS } from '../../platform/telemetry/metrics.ts'
import { CancelledError, InterruptedError } from './runs.errors.ts'
import type { Runs } from './runs.ts'

export type RunMetrics = ReturnType<typeof createRunMetrics>

/** Counts runs as they begin and end. */
export function createRunMetrics(metrics: Metrics, runs: Pick<Runs, 'count'>) {
  const started = metrics.counter({
    name: 'docent_runs_started_total',
    help: 'Runs that began to work; one that goes on after a review or a restart begins again.',
  })
  const ended = metrics.histogram({
    name: 'docent_run_duration_seconds',
    help: 'Time of runs at work, by how they ended: completed, waiting (for a person), cancelled, interrupted, limit, model, refused or internal.',
    labels: ['outcome'],
    buckets: SECONDS,
  })
  metrics.gauge({
    name: 'docent_runs',
    help: 'Runs of this process: active, or queued behind an earlier one of their chat.',
    labels: ['state'],
    read() {
      const { active, queued } = runs.count()
      return [
        { labels: ['active'], value: active },
        { labels: ['queued'], value: queued },
      ]
    },
  })

  return {
    /** @returns what is to be called at the end, with what went wrong, if anything did. */
    begin(): (outcome: 'completed' | 'waiting' | { error: unknown }) => void {
      started([])
      const startedAt = performance.now()
      return (outcome) =>
        ended([typeof outcome === 'string' ? outcome : kindOf(outcome.error)], (performance.now() - startedAt) / 1000)
    },
  }
}

function kindOf(error: unknown): string {
  if (error instanceof CancelledError) return 'cancelled'
  if (error instanceof InterruptedError) return 'interrupted'
  if (error instanceof LimitReachedError) return 'limit'
  if (error instanceof ModelError || error instanceof NoAnswerError) return 'model'
  return error instanceof DomainError ? 'refused' : 'internal'
}
