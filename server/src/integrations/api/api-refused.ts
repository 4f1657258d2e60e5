import type { z } from 'zod'
import { SourceItemError, SourceUnavailableError } from '../source.ts'

/** A provider's refusal of one request, which may concern one item alone. */
export class ApiRefusedError extends SourceItemError {
  override name = 'ApiRefusedError'
  readonly status: number
  /** @param reason in words that follow the item's name; default: what the status says */
  constructor(status: number, reason?: string) {
    super(reason ?? reasonOf(status))
    this.status = status
  }
}

function reasonOf(status: number): string {
  if (status === 403) return 'the provider does not permit it to be read'
  if (status === 404) return 'the provider knows nothing there'
  return `the provider answered ${status}`
}

/** Runs what settings are checked with: a refusal is their fault. @param field the one that is @param say in its words */
export async function orFieldError<T>(work: Promise<T>, field: string, say: (reason: string) => string): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof SourceItemError)) throw error
    throw new SourceUnavailableError(field, say(error.message), { cause: error })
  }
}

/** An answer as its documentation has it. @throws SourceUnavailableError */
export function checkedAnswer<T>(schema: z.ZodType<T>, answer: unknown, api: string, field = 'endpoint'): T {
  const found = schema.safeParse(answer)
  if (found.success) return found.data
  throw new SourceUnavailableError(field, `gives answers that are not those of the ${api}`)
}
