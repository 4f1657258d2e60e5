import type { Logger } from '../../telemetry/logger.ts'
import { ModelError } from './model.errors.ts'

/** Logs what the callers of a model are not told about its failure. Ignores any other error. */
export function logModelFailure(logger: Logger | undefined, model: string, error: unknown): void {
  if (!(error instanceof ModelError)) return
  const { reason, status, detail } = error
  logger?.warn({ model, reason, status, detail }, 'a model failed')
}
