import { describe, expect, test } from 'vitest'
import type { ModelProvider } from '../model-provider.ts'
import { connectionError } from './connection-failures.ts'
import { complaintError, readComplaint, retryAfterOf } from './provider-failures.ts'
import { shortReason } from './short-reason.ts'

const openai: ModelProvider = {
  id: 'openai',
  kind: 'openai',
  label: 'OpenAI',
  baseUrl: 'https://user:hidden@api.openai.com/v1',
  apiKey: 'my-private-key',
  keySetting: 'OPENAI_API_KEY',
  urlSetting: 'OPENAI_BASE_URL',
}

/** The message for an answer with this status and body, as providers send it. */
function told(status: number | undefined, body: unknown, provider = openai) {
  return complaintError(provider, 'gpt-x', { ...readComplaint(body), ...(status && { status }) })
}

describe('what a provider complains about becomes a sentence of ours, and its words a detail for the log', () => {
  test.each([
    [
      'a wrong key',
      401,
      { error: { message: 'Incorrect API key provided: sk-abc*****xyz9.', code: 'invalid_api_key' } },
      'key',
      'OpenAI does not accept the API key in OPENAI_API_KEY (key, 401).',
      'Incorrect API key provided: [key]',
    ],
    [
      "a wrong key, Google's way",
      400,
      [{ error: { code: 400, message: 'API key not valid.', details: [{ reason: 'API_KEY_INVALID' }] } }],
      'key',
      'OpenAI does not accept the API key in OPENAI_API_KEY (key, 400).',
      'API key not valid',
    ],
    [
      'a key without the right',
      403,
      { error: { message: 'Project has no access', type: 'permission_error' } },
      'key',
      'OpenAI does not allow this with the key it was given (OPENAI_API_KEY) (key, 403).',
      'Project has no access',
    ],
    [
      'an unknown model',
      404,
      { error: { message: 'The model `gpt-x` does not exist', code: 'model_not_found' } },
      'unknown-model',
      'OpenAI does not know the model "gpt-x". Name another one in the agent or in DOCENT_MODEL (unknown-model, 404).',
      'The model `gpt-x` does not exist',
    ],
    [
      'an unknown model, as a 400',
      400,
      { error: { message: 'Unknown model gpt-x' } },
      'unknown-model',
      'OpenAI does not know the model "gpt-x". Name another one in the agent or in DOCENT_MODEL (unknown-model, 400).',
      'Unknown model gpt-x',
    ],
    [
      'a wrong path',
      404,
      'Cannot POST /v2/chat/completions',
      'unknown-model',
      'OpenAI has nothing for the model "gpt-x" at its address. Check the model\'s name and OPENAI_BASE_URL (unknown-model, 404).',
      'Cannot POST /v2/chat/completions',
    ],
    [
      'an empty account',
      429,
      { error: { message: 'You exceeded your current quota.', code: 'insufficient_quota' } },
      'quota',
      'OpenAI says that the quota of the key is used up (OPENAI_API_KEY) (quota, 429).',
      'You exceeded your current quota',
    ],
    [
      'too many requests',
      429,
      { error: { message: 'Rate limit reached', type: 'requests' } },
      'rate-limited',
      'OpenAI takes no more requests for now. Try again later (rate-limited, 429).',
      'Rate limit reached',
    ],
    [
      'a long conversation',
      400,
      { error: { message: "This model's maximum context length is 8192 tokens.", code: 'context_length_exceeded' } },
      'too-long',
      'The conversation is too long for the model "gpt-x" (too-long, 400).',
      "This model's maximum context length is 8192 tokens",
    ],
    [
      "a long conversation, Anthropic's way",
      400,
      { type: 'error', error: { type: 'invalid_request_error', message: 'prompt is too long: 9 tokens > 8 maximum' } },
      'too-long',
      'The conversation is too long for the model "gpt-x" (too-long, 400).',
      'prompt is too long: 9 tokens > 8 maximum',
    ],
    ['a failure without words', 500, '', 'provider', 'OpenAI failed (provider, 500).', undefined],
    ['a failure in HTML', 502, '<html><h1>Bad gateway</h1>', 'provider', 'OpenAI failed (provider, 502).', undefined],
    [
      'an overload told in the stream',
      undefined,
      { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
      'provider',
      'OpenAI failed (provider, 529).',
      'Overloaded',
    ],
    [
      'a redirect',
      308,
      '',
      'unreadable',
      'OpenAI answered with a redirect, which is not followed. Check OPENAI_BASE_URL (unreadable, 308).',
      undefined,
    ],
    [
      'anything else',
      422,
      { detail: [{ msg: 'no' }], message: 'tools: wrong' },
      'refused',
      'OpenAI refused the request (refused, 422).',
      'tools: wrong',
    ],
  ])('%s', (_name, status, body, reason, message, detail) => {
    expect(told(status, body)).toMatchObject({ code: 'AGENT_FAILED', reason, message, detail })
  })

  test('a missing key is asked for', () => {
    expect(told(401, '', { ...openai, apiKey: '' }).message).toBe(
      'OpenAI wants an API key: set OPENAI_API_KEY (key, 401).',
    )
  })

  test('where a provider is stays out of the message, and credentials in its URL out of both', () => {
    const error = connectionError(openai, Object.assign(new Error(), { code: 'CERT_HAS_EXPIRED' }))
    expect(error.message).toBe(
      'OpenAI cannot be reached: its TLS certificate is not accepted (CERT_HAS_EXPIRED). Check OPENAI_BASE_URL (unreachable).',
    )
    expect(error.detail).toBe('at api.openai.com')
  })
})

describe('the words of a provider are logged without', () => {
  test.each([
    ['the key itself', 'Key my-private-key is bad', 'Key [key] is bad'],
    ['what looks like a key', 'Got sk-proj-AbC123_x and Bearer abc.def', 'Got [key] and Bearer [key]'],
    ['the beginning or the end of the key', 'Key my-privat... or ...ate-key', 'Key [key]... or ...[key]'],
    ['masked keys', 'Provided: abc***xyz', 'Provided: [key]'],
    ['named secrets', 'GET /v1?key=AbCd&x=1 with token: "zz9"', 'GET /v1?key=[key]&x=1 with token: "[key]"'],
    ['credentials in URLs', 'at http://me:secret@host/v1', 'at http://[key]@host/v1'],
    ['what was asked', 'Cannot answer "how ill is Ms Meyer" in \'gpt-x\'', 'Cannot answer "…" in \'gpt-x\''],
    ['long quotations', `Cannot read "${'secret plan '.repeat(10)}" here`, 'Cannot read "…" here'],
    ['line breaks', 'One\n\n  two\u0000three', 'One two three'],
    ['markup', '<html>nope', ''],
  ])('%s', (_name, text, shown) => {
    expect(shortReason(text, 'my-private-key')).toBe(shown)
  })

  test('an end, when they are long', () => {
    expect(shortReason('word '.repeat(100_000))).toMatch(/^(word )+wo?…$|^(word )+.{0,4}…$/)
    expect(shortReason('word '.repeat(100_000)).length).toBeLessThanOrEqual(200)
  })
})

test('the wait that a provider asks for is read from seconds, milliseconds and dates', () => {
  const now = Date.parse('2026-01-01T00:00:00Z')
  expect(retryAfterOf({ 'retry-after': '2' }, now)).toBe(2000)
  expect(retryAfterOf({ 'retry-after': 'Thu, 01 Jan 2026 00:00:03 GMT' }, now)).toBe(3000)
  expect(retryAfterOf({ 'retry-after-ms': '150', 'retry-after': '2' }, now)).toBe(150)
  expect(retryAfterOf({ 'retry-after': 'soon' }, now)).toBeUndefined()
  expect(retryAfterOf({}, now)).toBeUndefined()
})
