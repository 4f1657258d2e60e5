import { DocentError } from '@docent/sdk'
import { expect, test } from 'vitest'
import { explain } from './errors.ts'

const refused = (code: string, message: string) => explain(new DocentError(message, { status: 400, code }))

test.each([
  ['VALIDATION_ERROR', 'email: must be a valid e-mail', 'Email must be a valid e-mail.'],
  ['VALIDATION_ERROR', 'limits.max_steps: must be at least 1', 'Max steps must be at least 1.'],
  ['VALIDATION_ERROR', 'allowed_origins.0: must be an origin', 'Allowed origins must be an origin.'],
  ['CONFLICT', 'A knowledge base named "A: b" already exists', 'A folder named "A: b" already exists.'],
])('%s: %s', (code, message, words) => {
  expect(refused(code, message)).toBe(words)
})
