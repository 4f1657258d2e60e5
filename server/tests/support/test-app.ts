import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { addRoutes } from '../../src/app.ts'
import { toConfig } from '../../src/config.ts'
import { type Clock, systemClock } from '../../src/platform/clock.ts'
import { acrossOrganizations } from '../../src/platform/database/statements/across-organizations.ts'
import { createHttpServer } from '../../src/platform/http/server.ts'
import { createLogger } from '../../src/platform/telemetry/logger.ts'
import { createServices } from '../../src/services.ts'
import { databaseSettings, layReadyDatabase } from './database/database.ts'
import { createOrganizationGuard } from './database/organization-guard.ts'
import { createDescriptionGuard } from './http/description-guard.ts'
import { type ModelList, type Script, settingsOf, startModelServer } from './models/model-server.ts'

export interface TestReply<T = any> {
  status: number
  headers: Headers
  /** The parsed body of a JSON answer. */
  body: T
}

/** Sends one request to the server, as the owner unless another key (or null for none) is given. */
export type Call = <T = any>(
  method: string,
  path: string,
  body?: unknown,
  options?: { key?: string | null; headers?: Record<string, string> },
) => Promise<TestReply<T>>

export type TestApp = Awaited<ReturnType<typeof startTestApp>>

interface Options {
  work?: boolean
  clock?: Clock
  logTo?: (line: string) => void
  /** Whether no other test may have used the server: for tests that look at all there is. */
  alone?: boolean
  /** Script and lists of a model server that it asks, if nothing else is set. */
  model?: { script?: Script; list?: ModelList }
}

/** Servers that no test uses now, each with what it was started with, the newest last; undefined where tests do not share. */
let idle: { key: string; app: RunningApp }[] | undefined
/** Limit on idle apps: more would only wait for the end of the file. */
const MOST_IDLE = 3

/**
 * Lets the tests of a file that start servers with equal settings share them, one after the other, each in an
 * organization of its own: a start takes longer than most of what is tested. A test that wants to be
 * alone, gives a clock, a log or a data directory, or leaves tasks where they are, has a server of its own.
 */
export function shareTestApps(): void {
  beforeAll(() => {
    idle = []
  })
  afterAll(async () => {
    const unused = idle!
    idle = undefined
    for (const { app } of unused) await app.end()
  })
}

/**
 * The real server on a free port with a data directory of its own; it goes away when the test ends, or the file where
 * its tests share. `settings` are environment variables, `logTo` gets the lines of the log. Without `work`, background
 * tasks stay where they are. A statement of the server's that is not bound to an organization fails, and with it the
 * test, as does an answer that is not as the API description says; `services.db` is the tests' own way to the rows.
 */
export async function startTestApp(settings: Record<string, string> = {}, options: Options = {}) {
  const { work = true, clock, logTo, alone = false, model } = options
  const unused = idle
  const isShared = unused !== undefined && !alone && work && !clock && !logTo && !model?.list && !settings.DATA_DIR
  const key = JSON.stringify([model !== undefined, ...Object.entries(settings).sort()])
  const at = isShared ? unused.findLastIndex((one) => one.key === key) : -1
  const known = at === -1 ? undefined : unused!.splice(at, 1)[0]!.app
  known?.model?.restart(model?.script)
  const app = known ?? (await runApp(settings, options))
  onTestFinished(async () => {
    if (!isShared || !(await app.becomesUnused())) return app.end()
    unused.push({ key, app })
    if (unused.length > MOST_IDLE) await unused.shift()!.app.end()
    app.expectNoViolations()
  })
  const { url, dataDir, services, close } = app
  const owner = await services.access.createOrganization('Test')

  const call: Call = async (method, path, body, { key = owner.apiKey, headers = {} } = {}) => {
    const isForm = body instanceof FormData
    const reply = await fetch(`${url}/v1${path}`, {
      method,
      headers: {
        ...(key && { 'x-api-key': key }),
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : isForm ? body : JSON.stringify(body),
    })
    const isJson = reply.headers.get('content-type')?.includes('application/json')
    const read: any = isJson ? await reply.json() : await reply.text()
    return { status: reply.status, headers: reply.headers, body: read }
  }

  return { url, dataDir, services, call, owner, close, model: app.model! }
}

type RunningApp = Awaited<ReturnType<typeof runApp>>

async function runApp(settings: Record<string, string>, options: Options) {
  const { work = true, clock = systemClock, logTo } = options
  const model = options.model && (await startModelServer(options.model))
  const dataDir = settings.DATA_DIR ?? (await mkdtemp(join(tmpdir(), 'docent-test-')))
  const atEnd: (() => Promise<void>)[] = []
  const config = toConfig({
    PORT: '0',
    LOG_LEVEL: 'error',
    DOCENT_SAMPLE: 'false',
    DOCENT_OCR_DATA: 'off',
    DOCENT_RATE_LIMIT: '0',
    ...(await databaseSettings(dataDir, (end) => atEnd.push(end))),
    ...(model && settingsOf(model.openaiUrl)),
    ...settings,
    DATA_DIR: dataDir,
  })
  if (!config.database.postgres) await layReadyDatabase(dataDir)
  await layReserve(dataDir)
  const guard = createOrganizationGuard()
  const logger = createLogger(config.logLevel, logTo && { write: logTo })
  const guarded = await createServices({ config, logger, clock, databasePlugins: [guard.plugin] })
  const services = { ...guarded, db: acrossOrganizations(guarded.db.withoutPlugins()) }
  const app = createHttpServer(logger, config.http)
  const description = createDescriptionGuard()
  description.watch(app)
  await addRoutes(app, guarded)
  if (work) await services.start()
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as { port: number }
  const url = `http://127.0.0.1:${port}`
  services.listensAt(url)

  let isClosed = false
  async function close() {
    if (isClosed) return
    isClosed = true
    await app.close()
    await services.close()
  }
  function expectNoViolations() {
    expect(guard.violations.splice(0)).toEqual([])
    expect(description.violations.splice(0)).toEqual([])
  }
  async function end() {
    await close()
    await model?.close()
    for (const one of atEnd) await one()
    if (!settings.DATA_DIR) await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
    expectNoViolations()
  }
  /** Waits a moment for what a test left at work. @returns whether nothing is. */
  async function becomesUnused() {
    for (let waits = 0; waits < 50 && !isClosed; waits++) {
      const running = services.db.selectFrom('message').select('id').where('status', '=', 'in_progress')
      if (model?.isUnused() !== false && !(await running.executeTakeFirst())) return true
      await sleep(20)
    }
    return false
  }
  return { url, dataDir, services, model, close, becomesUnused, expectNoViolations, end }
}

/** Spares every server of the tests the 8 MiB that it would write as its reserve, for which any file there passes. */
const layReserve = (dataDir: string) => writeFile(join(dataDir, 'reserve'), '', { mode: 0o600 })
