import { DocentError } from '@docent/sdk'
import type { CommanderError } from 'commander'

/** Exit codes, as docs/cli.md tells them. */
export const EXIT = {
  /** The server or the system refused. */
  failed: 1,
  /** The command makes no sense as it stands. */
  usage: 2,
  /** No server, or none that lets one in. */
  connection: 3,
  /** Something that was named is not there. */
  notFound: 4,
  interrupted: 130,
} as const

/** Codes of errors that no server told, for programs: docs/cli.md lists them. */
const CODES: Record<number, string> = {
  [EXIT.failed]: 'FAILED',
  [EXIT.usage]: 'USAGE',
  [EXIT.connection]: 'CONNECTION_FAILED',
  [EXIT.notFound]: 'NOT_FOUND',
}

/** A failure whose message says what to do; nobody needs its stack. */
export class CommandError extends Error {
  override name = 'CommandError'
  readonly exitCode: number
  constructor(message: string, exitCode: number = EXIT.failed, options?: ErrorOptions) {
    super(message, options)
    this.exitCode = exitCode
  }
}

export const usageError = (message: string) => new CommandError(message, EXIT.usage)
export const notFound = (message: string) => new CommandError(message, EXIT.notFound)

/** Exit code and text for an error. */
export function explain(error: unknown): { exitCode: number; text: string; code: string } {
  if (error instanceof CommandError) {
    const { cause, exitCode, message } = error
    const code = cause instanceof DocentError ? cause.code : (CODES[exitCode] ?? 'FAILED')
    return { exitCode, text: message, code }
  }
  if (error instanceof DocentError) {
    const details = error.details?.slice(1).map(({ path, message }) => `\n${path}: ${message}`) ?? []
    return { exitCode: exitCodeOf(error), text: error.message + details.join(''), code: error.code }
  }
  const { code, message, path, stack } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') {
    const text = path ? `There is no file or folder ${path} on this machine` : message
    return { exitCode: EXIT.notFound, text, code: 'NOT_FOUND' }
  }
  if (code !== undefined && /^E[A-Z]+$/.test(code)) return { exitCode: EXIT.failed, text: message, code }
  return { exitCode: EXIT.failed, text: stack ?? String(error), code: 'FAILED' }
}

/** A failure of the server or its client, with what it is about; others name that themselves. */
export function about(subject: string, error: unknown): unknown {
  if (!(error instanceof DocentError)) return error
  return new CommandError(`${subject}: ${explain(error).text}`, exitCodeOf(error), { cause: error })
}

/** Explains what the parser of commands refuses; the help that was asked for is no failure. */
export function explainUsage({ exitCode, code, message }: CommanderError): ReturnType<typeof explain> {
  if (exitCode === 0) return { exitCode, text: '', code: '' }
  const isHelp = code === 'commander.help'
  const text = isHelp ? 'Which command? --help lists them' : message.replace(/^error: /, '')
  return { exitCode: EXIT.usage, text, code: 'USAGE' }
}

function exitCodeOf({ status, code }: DocentError): number {
  if (status === 401 || code === 'CONNECTION_FAILED') return EXIT.connection
  return status === 404 ? EXIT.notFound : EXIT.failed
}
