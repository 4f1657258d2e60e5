import closeWithGrace from 'close-with-grace'
import { createApp } from './app.ts'
import { settingsHelp } from './config/describe-settings.ts'
import { readEnv, SettingsError } from './config/read-env.ts'
import { toConfig } from './config.ts'
import { prepareDataDir } from './data-dir.ts'
import { prepareFirstStart } from './first-start.ts'
import { BucketUnusableError } from './platform/blobs/blobs.ts'
import { DatabaseUnusableError } from './platform/database/errors.ts'
import { DatabaseOrderError, DatabaseTooNewError } from './platform/database/migrate.ts'
import { DataDirInUseError } from './platform/database/open.ts'
import { patiently } from './platform/database/patience.ts'
import {
  checkDescriptors,
  connectionsWithin,
  descriptorLimit,
  TooFewDescriptorsError,
} from './platform/host/descriptors.ts'
import { isStorageFull } from './platform/host/disk-room.ts'
import { onStopSignal } from './platform/host/stop-signals.ts'
import { limitConnections } from './platform/http/limit-connections.ts'
import { urlOf } from './platform/http/url-of.ts'
import { ModelNotAvailableError } from './platform/models/failures/model.errors.ts'
import { createLogger } from './platform/telemetry/logger.ts'
import { nearestName } from './platform/text/nearest-name.ts'
import { createServices } from './services.ts'
import { VERSION } from './version.ts'

const DRAIN_MS = 18_000
/** How long a start waits for a database that disappears meanwhile. */
const AWAY_PATIENCE_MS = 60_000
/** Errors whose message is all that an operator needs. */
const FOR_OPERATORS = [
  DataDirInUseError,
  DatabaseTooNewError,
  DatabaseOrderError,
  DatabaseUnusableError,
  BucketUnusableError,
  ModelNotAvailableError,
  TooFewDescriptorsError,
]

async function main(): Promise<void> {
  if (process.argv.includes('--help')) return console.log(settingsHelp())
  if (process.argv.includes('--version')) return console.log(VERSION)
  requireNoOptions(process.argv.slice(2))
  const config = toConfig(readEnv())
  const logger = createLogger(config.logLevel)
  const descriptors = descriptorLimit()
  checkDescriptors(descriptors)
  await prepareDataDir(config.dataDir, logger)
  const services = await createServices({ config, logger })
  const app = await createApp(services)
  limitConnections(app.server, connectionsWithin(descriptors), logger)
  const grace = closeWithGrace({ delay: DRAIN_MS, logger: false, skip: ['SIGINT', 'SIGTERM'] }, async ({ err }) => {
    if (err) logger.fatal({ err }, 'the server stops after an error')
    await app.close()
    await services.close()
  })
  onStopSignal((signal) => {
    logger.info({ signal }, 'the server drains and stops')
    grace.close()
  })
  // It was there a moment ago.
  await patiently({ ms: AWAY_PATIENCE_MS }, () => services.start())
  await app.listen({ host: config.http.host, port: config.http.port })
  const { port } = app.server.address() as { port: number }
  const url = urlOf(config.http.host, port)
  services.listensAt(url)
  if (config.role !== 'worker') for (const line of await prepareFirstStart(services, url)) console.log(line)
  console.log(`Docent is ready at ${url}`)
}

/** A slip in an option must not start a server with settings that nobody wanted. @throws SettingsError */
function requireNoOptions(given: string[]): void {
  const problems = given.map((name) => {
    const near = nearestName(name, ['--help', '--version'])
    return `${name}: there is no such option; ${near ? `did you mean ${near}?` : 'settings come from the environment and .env: --help lists them'}`
  })
  if (problems.length > 0) throw new SettingsError(problems)
}

/** Explains an error that an operator can mend in lines; any other with its stack. */
function explain(error: unknown): void {
  if (error instanceof SettingsError) for (const problem of error.problems) console.error(problem)
  else if (isStorageFull(error)) console.error('The disk is full: make room where DATA_DIR is, and start again.')
  else if (FOR_OPERATORS.some((kind) => error instanceof kind)) console.error((error as Error).message)
  else if (isSystemError(error, 'EADDRINUSE'))
    console.error(`${error.message}: another program listens there. Set PORT to a free one.`)
  else if (isSystemError(error, 'EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOSPC'))
    console.error(
      `${error.message}. Set ${error.syscall === 'listen' ? 'PORT' : 'DATA_DIR'} to one that this user may use.`,
    )
  else console.error(error)
}

const isSystemError = (error: unknown, ...codes: string[]): error is NodeJS.ErrnoException =>
  codes.includes((error as NodeJS.ErrnoException).code ?? '')

await main().catch((error) => {
  explain(error)
  process.exit(1)
})
