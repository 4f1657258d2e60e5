import { describe, expect, test } from 'vitest'
import { complaintError, connectionError, readComplaint, retryAfterOf } from './provider-failures.ts'
import { shortReason } from './short-reason.ts'

const openai = {
  id: 'openai',
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

describe('what a provider complains about becomes one sentence', () => {
  test.each([
    [
      'a wrong key',
      401,
      { error: { message: 'Incorrect API key provided: sk-abc*****xyz9.', code: 'invalid_api_key' } },
      'key',
      'OpenAI does not accept the API key in OPENAI_API_KEY: Incorrect API key provided: [key].',
    ],
    [
      "a wrong key, Google's way",
      400,
      [{ error: { code: 400, message: 'API key not valid.', details: [{ reason: 'API_KEY_INVALID' }] } }],
      'key',
      'OpenAI does not accept the API key in OPENAI_API_KEY: API key not valid.',
    ],
    [
      'a key without the right',
      403,
      { error: { message: 'Project has no access', type: 'permission_error' } },
      'key',
      'OpenAI does not allow this with the key it was given (OPENAI_API_KEY): Project has no access.',
    ],
    [
      'an unknown model',
      404,
      { error: { message: 'The model `gpt-x` does not exist', code: 'model_not_found' } },
      'unknown-model',
      'OpenAI does not know the model "gpt-x". Name another one in the agent or in DOCENT_MODEL.',
    ],
    [
      'an unknown model, as a 400',
      400,
      { error: { message: 'Unknown model gpt-x' } },
      'unknown-model',
      'OpenAI does not know the model "gpt-x". Name another one in the agent or in DOCENT_MODEL.',
    ],
    [
      'a wrong path',
      404,
      'Cannot POST /v2/chat/completions',
      'unknown-model',
      'OpenAI has nothing for the model "gpt-x" at its address (404). Check the model\'s name and OPENAI_BASE_URL.',
    ],
    [
      'an empty account',
      429,
      { error: { message: 'You exceeded your current quota.', code: 'insufficient_quota' } },
      'quota',
      'OpenAI says that the quota of the key is used up (OPENAI_API_KEY): You exceeded your current quota.',
    ],
    [
      'too many requests',
      429,
      { error: { message: 'Rate limit reached', type: 'requests' } },
      'rate-limited',
      'OpenAI takes no more requests for now (429): Rate limit reached. Try again later.',
    ],
    [
      'a long conversation',
      400,
      { error: { message: "This model's maximum context length is 8192 tokens.", code: 'context_length_exceeded' } },
      'too-long',
      'The conversation is too long for the model "gpt-x": This model\'s maximum context length is 8192 tokens.',
    ],
    [
      "a long conversation, Anthropic's way",
      400,
      { type: 'error', error: { type: 'invalid_request_error', message: 'prompt is too long: 9 tokens > 8 maximum' } },
      'too-long',
      'The conversation is too long for the model "gpt-x": prompt is too long: 9 tokens > 8 maximum.',
    ],
    ['a failure without words', 500, '', 'provider', 'OpenAI failed (500).'],
    ['a failure in HTML', 502, '<html><h1>Bad gateway</h1>', 'provider', 'OpenAI failed (502).'],
    [
      'an overload told in the stream',
      undefined,
      { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
      'provider',
      'OpenAI failed (529): Overloaded.',
    ],
    [
      'a redirect',
      308,
      '',
      'unreadable',
      'OpenAI answered with a redirect (308), which is not followed. Check OPENAI_BASE_URL.',
    ],
    [
      'anything else',
      422,
      { detail: [{ msg: 'no' }], message: 'tools: wrong' },
      'refused',
      'OpenAI refused the request (422): tools: wrong.',
    ],
  ])('%s', (_name, status, body, reason, message) => {
    expect(told(status, body)).toMatchObject({ kind: 'failed', code: 'AGENT_FAILED', reason, message })
  })

  test('a missing key is asked for', () => {
    expect(told(401, '', { ...openai, apiKey: '' }).message).toBe('OpenAI wants an API key: set OPENAI_API_KEY.')
  })

  test('credentials in a base URL stay out', () => {
    const error = connectionError(openai, Object.assign(new Error(), { code: 'CERT_HAS_EXPIRED' }))
    expect(error.message).toBe(
      'OpenAI cannot be reached at api.openai.com: its TLS certificate is not accepted (CERT_HAS_EXPIRED). Check OPENAI_BASE_URL.',
    )
  })
})

describe('the words of a provider are shown without', () => {
  test.each([
    ['the key itself', 'Key my-private-key is bad', 'Key [key] is bad'],
    ['what looks like a key', 'Got sk-proj-AbC123_x and Bearer abc.def', 'Got [key] and Bearer [key]'],
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
