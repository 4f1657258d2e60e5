import { appendFileSync } from 'node:fs'
import type { FastifyRequest } from 'fastify'
import type { Answer } from '../../../../tools/api/recorded.ts'

/** File that `npm run record` reads: a line for each answer. */
const { DOCENT_RECORD_ANSWERS: file } = process.env

/** Writes an answer down with its request, while examples are recorded. */
export function recordAnswer(
  { params, query, body }: FastifyRequest,
  { operation, status, answer }: Pick<Answer, 'operation' | 'status' | 'answer'>,
): void {
  if (!file) return
  const isPlain = body === null || body === undefined || Object.getPrototypeOf(body) === Object.prototype
  const line = { operation, status, params, query, ...(isPlain && { body }), answer }
  appendFileSync(file, `${JSON.stringify(line)}\n`)
}
