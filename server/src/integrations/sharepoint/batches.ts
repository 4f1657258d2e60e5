import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { slicesOf } from '../../platform/database/in-slices.ts'
import { type ApiClient, LONGEST_WAIT_MS, waitOf } from '../api/api-client.ts'
import { ApiRefusedError, checkedAnswer } from '../api/api-refused.ts'

/** Most requests that Microsoft Graph takes in one. */
export const LARGEST_BATCH = 20
const MOST_TRIES = 4

const Answers = z.looseObject({
  responses: z.array(
    z.looseObject({
      id: z.string(),
      status: z.number(),
      headers: z.record(z.string(), z.unknown()).nullish(),
      body: z.unknown().optional(),
    }),
  ),
})
type Answer = z.infer<typeof Answers>['responses'][number]

interface Waiting {
  path: string
  signal: AbortSignal
  resolve(body: unknown): void
  reject(error: unknown): void
}

/**
 * Asks Microsoft Graph for what is wanted at the same time in one request (JSON batching). Of a batch, what the service is
 * too busy for is asked for again when it says so; what it does not answer there is asked for alone.
 *
 * @returns function that gets the answer to a path below `base`. It throws as `client.json`.
 */
export function createBatches(client: ApiClient, base: string, api: string) {
  let waiting: Waiting[] = []
  /** Whether the service, or a proxy before it, knows no batches. */
  let isRefused = false

  const alone = ({ path, signal }: Waiting) => client.json(base + path, signal)

  async function ask(batch: Waiting[], signal: AbortSignal): Promise<Answer[]> {
    const requests = batch.map(({ path }, id) => ({ id: String(id), method: 'GET', url: path }))
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ requests })
    return checkedAnswer(Answers, await client.json(`${base}/$batch`, signal, { method: 'POST', body, headers }), api)
      .responses
  }

  async function answer(asked: Waiting[], signal: AbortSignal): Promise<void> {
    let left = asked
    for (let attempt = 1; left.length > 1 && !isRefused; attempt++) {
      const answers = new Map((await ask(left, signal)).map((one) => [one.id, one]))
      const busy: Waiting[] = []
      let waitMs = 0
      for (const [id, one] of left.entries()) {
        const { status = 401, body, headers } = answers.get(String(id)) ?? {}
        if (status === 200) one.resolve(body)
        else if (status === 429 || status >= 500) {
          busy.push(one)
          waitMs = Math.max(waitMs, waitOf(lowerCased(headers ?? {}), attempt))
        } else if (status === 401) one.resolve(alone(one))
        else one.reject(new ApiRefusedError(status))
      }
      left = busy
      if (left.length === 0 || attempt === MOST_TRIES || waitMs > LONGEST_WAIT_MS) break
      await delay(waitMs, undefined, { signal })
    }
    for (const one of left) one.resolve(alone(one))
  }

  async function send(batch: Waiting[]): Promise<void> {
    const rejectAll = (error: unknown) => {
      for (const { reject } of batch) reject(error)
    }
    try {
      await answer(batch, batch[0]!.signal)
    } catch (error) {
      if (!(error instanceof ApiRefusedError)) return rejectAll(error)
      isRefused = true
      for (const one of batch) one.resolve(alone(one))
    }
  }

  function sendAll(): void {
    const all = waiting
    waiting = []
    // A batch tells its failure to those who wait for it.
    for (const batch of slicesOf(all, LARGEST_BATCH)) send(batch).catch(() => undefined)
  }

  return (path: string, signal: AbortSignal): Promise<unknown> =>
    new Promise((resolve, reject) => {
      waiting.push({ path, signal, resolve, reject })
      if (waiting.length === 1) setImmediate(sendAll)
    })
}

const lowerCased = (headers: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]))
