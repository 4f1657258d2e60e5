import type { Logger } from '../../telemetry/logger.ts'
import { ModelError } from './model.errors.ts'

/** Logs the details of a model's failure that its callers do not see. Ignores any other error. */
export function logModelFailure(logger: Logger | undefined, model: string, error: unknown): void {
  if (!(error instanceof ModelError)) return
  const { reason, status, detail } = error
  logger?.warn({ model, reason, status, detail }, 'a model failed')
}
