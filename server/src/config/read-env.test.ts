import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../tests/support/database/database.ts'
import { toConfig } from '../config.ts'
import { settingsHelp, settingsMarkdown } from './describe-settings.ts'
import { checkSettings, type Env, readEnv, SettingsError } from './read-env.ts'
import { type Setting, settings } from './settings.ts'

function problemsOf(env: Env): string[] {
  try {
    toConfig(env)
  } catch (error) {
    if (error instanceof SettingsError) return error.problems
    throw error
  }
  return []
}

test('an empty environment gives the documented defaults', () => {
  const config = toConfig({})
  expect(config).toMatchObject({
    http: { host: '127.0.0.1', port: 3000 },
    logLevel: 'info',
    dataDir: join(process.cwd(), 'data'),
    access: { ownerKey: undefined, rateLimit: { perSecond: 200, burst: 400 }, maxStreams: 200 },
    sample: true,
    uploads: { maxBytes: 100 * 1024 ** 2, ttlMs: 24 * 3600 * 1000 },
    models: { default: undefined, timeouts: { firstTokenMs: 60_000, idleMs: 30_000, totalMs: 600_000 } },
  })
})

test('an empty value counts as absent', () => {
  const env = Object.fromEntries(Object.keys(settings).map((name) => [name, '']))
  expect(JSON.stringify(toConfig(env))).toBe(JSON.stringify(toConfig({})))
})

test('values come in the units of the code', () => {
  const config = toConfig({
    PORT: '0',
    DATA_DIR: '/tmp/x/../y',
    DOCENT_UPLOAD_TTL: '1.5',
    DOCENT_MODEL_FIRST_TOKEN_TIMEOUT: '0.25',
    DOCENT_SAMPLE: 'FALSE',
    OLLAMA_BASE_URL: 'http://127.0.0.1:11434//',
  })
  expect(config).toMatchObject({
    http: { port: 0 },
    dataDir: '/tmp/y',
    uploads: { ttlMs: 1500 },
    models: { timeouts: { firstTokenMs: 250 }, ollama: { baseUrl: 'http://127.0.0.1:11434' } },
    sample: false,
  })
})

test.each([
  [{ PORT: '65536' }, 'PORT: must be between 0 and 65535 (it is "65536")'],
  [{ PORT: '80a' }, 'PORT: must be a whole number (it is "80a")'],
  [{ PORT: '-1' }, 'PORT: must be a whole number (it is "-1")'],
  [{ DOCENT_FONTS: 'a.woff2' }, 'DOCENT_FONTS: must be .ttf, .otf or .ttc files (it is "a.woff2")'],
  [{ DOCENT_FONTS: '/none/a.ttf' }, 'DOCENT_FONTS: must be files that are there (it is "/none/a.ttf")'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL: must be one of: trace, debug, info, warn, error or silent (it is "loud")'],
  [{ DOCENT_SAMPLE: 'yes' }, 'DOCENT_SAMPLE: must be true or false (it is "yes")'],
  [{ DOCENT_UPLOAD_TTL: '0' }, 'DOCENT_UPLOAD_TTL: must be between 0.001 and 31536000 (it is "0")'],
  [{ DOCENT_UPLOAD_TTL: 'soon' }, 'DOCENT_UPLOAD_TTL: must be a number of seconds (it is "soon")'],
  [{ DOCENT_MAX_UPLOAD_BYTES: '1e9' }, 'DOCENT_MAX_UPLOAD_BYTES: must be a whole number (it is "1e9")'],
  [{ OPENAI_BASE_URL: 'localhost:1' }, 'OPENAI_BASE_URL: must be an http or https URL (it is "localhost:1")'],
  [
    { DOCENT_MODEL: 'gpt' },
    'DOCENT_MODEL: must be PROVIDER/MODEL, for instance openai/gpt-5-mini or builtin/extractive (it is "gpt")',
  ],
  [
    { DOCENT_TRUSTED_PROXIES: '10.0.0.0/40' },
    'DOCENT_TRUSTED_PROXIES: must be a list of addresses and CIDR, like 127.0.0.1,10.0.0.0/8 (it is "10.0.0.0/40")',
  ],
  [{ DOCENT_AUDIT_LOG_DAYS: '-1' }, 'DOCENT_AUDIT_LOG_DAYS: must be a whole number (it is "-1")'],
  [{ DOCENT_ROLE: 'both' }, 'DOCENT_ROLE: must be all, api or worker (it is "both")'],
  [{ DOCENT_ROLE: 'worker' }, /^DOCENT_ROLE: worker needs DATABASE_URL/],
  [{ DATABASE_LISTEN_URL: 'postgres://me:secret@x/y' }, /^DATABASE_LISTEN_URL: is set, but DATABASE_URL is not/],
  [{ DOCENT_RERANK_MODEL: 'rerank-v3.5' }, /^DOCENT_RERANK_URL: is not set, but the model or the key of a reranker is/],
  [
    { DOCENT_RERANK_MODEL: 'local/cross-encoder', DOCENT_RERANK_URL: 'http://tei:8080/rerank' },
    /^DOCENT_RERANK_MODEL: names a model on disk, but DOCENT_RERANK_URL an endpoint/,
  ],
  [{ DOCENT_RERANK_DEPTH: '101' }, 'DOCENT_RERANK_DEPTH: must be between 1 and 100 (it is "101")'],
  [{ DATABASE_URL: 'mysql://me:secret@x/y' }, /^DATABASE_URL: must be like postgres:(?!.*secret)/],
])('%j is refused in one line that says what to do', (env, problem) => {
  expect(problemsOf(env as Env)).toEqual([typeof problem === 'string' ? problem : expect.stringMatching(problem)])
})

test('the value of a secret is never shown', () => {
  const problems = problemsOf({ DOCENT_OWNER_KEY: 'too short' })
  expect(problems).toEqual(['DOCENT_OWNER_KEY: must have 16 to 200 characters and no spaces'])
})

test.each([
  ['DOCENT_MODLE', 'did you mean DOCENT_MODEL?'],
  ['DOCENT_RATE_LIMITS', 'did you mean DOCENT_RATE_LIMIT?'],
  ['DOCENT_UPLOAD_TTL_', 'did you mean DOCENT_UPLOAD_TTL?'],
  ['DOCENT_SAMPLES', 'did you mean DOCENT_SAMPLE?'],
  ['DOCENT_SOMETHING_ELSE', '(npm start -- --help lists them)'],
  ['DOCENT_MODEL_FILE', 'did you mean DOCENT_MODEL?'],
])('an unknown name of ours, %s, is refused: %s', (name, hint) => {
  const [problem, ...others] = problemsOf({ [name]: 'x' })
  expect(others).toEqual([])
  expect(problem).toMatch(new RegExp(`^${name}: there is no such setting`))
  expect(problem).toContain(hint)
})

test('names of others are none of our business', () => {
  expect(problemsOf({ PATH: '/bin', docent_model: 'x', PORTS: '1', npm_config_docent: 'y' })).toEqual([])
})

test('all problems are reported at once', () => {
  const problems = problemsOf({ PORT: 'x', LOG_LEVEL: 'x', DOCENT_MODL: 'x', OPENAI_API_KEY_FILE: '/nowhere' })
  expect(problems.map((line) => line.split(':')[0]).sort()).toEqual([
    'DOCENT_MODL',
    'LOG_LEVEL',
    'OPENAI_API_KEY_FILE',
    'PORT',
  ])
})

test('a secret can come from a file, with or without a line end', async () => {
  const path = join(await temporaryFolder(), 'key')
  for (const content of ['sk-secret', 'sk-secret\n', ' sk-secret \r\n']) {
    await writeFile(path, content)
    expect(toConfig({ OPENAI_API_KEY_FILE: path }).models.openai.apiKey).toBe('sk-secret')
  }
})

test('a secret file that is missing, empty, a folder, or beside the plain value is refused', async () => {
  const folder = await temporaryFolder()
  const path = join(folder, 'key')
  await writeFile(path, '\n')
  expect(problemsOf({ OPENAI_API_KEY_FILE: path })).toEqual([`OPENAI_API_KEY_FILE: the file "${path}" is empty`])
  await writeFile(path, 'sk-1')
  const both = { OPENAI_API_KEY_FILE: path, OPENAI_API_KEY: 'sk-2' }
  expect(problemsOf(both)).toEqual(['OPENAI_API_KEY: is set, and OPENAI_API_KEY_FILE too; keep one of them'])
  for (const wrong of [folder, join(folder, 'nothing')]) {
    const expected = [`OPENAI_API_KEY_FILE: the file "${wrong}" cannot be read`]
    expect(problemsOf({ OPENAI_API_KEY_FILE: wrong })).toEqual(expected)
  }
})

test('every secret has a file form, and nothing else has', () => {
  for (const [name, { isSecret }] of Object.entries(settings) as [string, { isSecret?: boolean }][]) {
    if (isSecret) expect(problemsOf({ [`${name}_FILE`]: '/nowhere' })[0]).toMatch(`${name}_FILE: the file "/nowhere"`)
    else if (name.startsWith('DOCENT_'))
      expect(problemsOf({ [`${name}_FILE`]: '/nowhere' })[0]).toMatch('no such setting')
  }
})

test('.env is read, and the environment wins', async () => {
  const path = join(await temporaryFolder(), '.env')
  await writeFile(path, '# comment\nPORT=4000\nexport HOST="0.0.0.0"\nDOCENT_MODEL=openai/gpt-5 # note\n')
  const env = readEnv(path, { PORT: '5000' })
  expect(toConfig(env)).toMatchObject({ http: { port: 5000, host: '0.0.0.0' }, models: { default: 'openai/gpt-5' } })
  expect(readEnv(join(path, '..', 'none'), { PORT: '1' })).toEqual({ PORT: '1' })
})

test('.env that cannot be read stops the start with a line', async () => {
  const path = join(await temporaryFolder(), '.env')
  await mkdir(path)
  expect(() => readEnv(path, {})).toThrow(`${path}: cannot be read (EISDIR)`)
})

/** The value in a form that can be compared: patterns of hosts are functions. */
function held(value: unknown): unknown {
  if (typeof value === 'function') return ['example.com'].filter(value as (host: string) => boolean)
  return value instanceof Map ? [...value] : value
}

test('the defaults that the help shows are the true ones', () => {
  const values = checkSettings({}) as Record<string, unknown>
  for (const [name, setting] of Object.entries(settings) as [string, Setting][]) {
    const shown = setting.default?.replace(/ \(.*\)$/, '')
    const value = values[name]
    if (shown === 'none') expect([name, held(value)]).toEqual([name, []])
    else if (shown !== undefined && value !== undefined)
      expect([name, held(setting.schema.parse(shown))]).toEqual([name, held(value)])
  }
})

test('help and docs name every setting', () => {
  const [help, docs] = [settingsHelp(), settingsMarkdown()]
  for (const [name, { about }] of Object.entries(settings)) {
    expect(help).toContain(`  ${name}`)
    expect(help).toContain(about)
    expect(docs).toContain(`| \`${name}\``)
  }
})
