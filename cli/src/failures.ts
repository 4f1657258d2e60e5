import { DocentError } from '@docent/sdk'

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
export function explain(error: unknown): { exitCode: number; text: string; code?: string } {
  if (error instanceof CommandError) return { exitCode: error.exitCode, text: error.message }
  if (error instanceof DocentError) {
    const details = error.details?.slice(1).map(({ path, message }) => `\n${path}: ${message}`) ?? []
    return { exitCode: exitCodeOf(error), text: error.message + details.join(''), code: error.code }
  }
  const { code, message, stack } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return { exitCode: EXIT.notFound, text: message }
  if (code !== undefined && /^E[A-Z]+$/.test(code)) return { exitCode: EXIT.failed, text: message }
  return { exitCode: EXIT.failed, text: stack ?? String(error) }
}

function exitCodeOf({ status, code }: DocentError): number {
  if (status === 401 || code === 'CONNECTION_FAILED') return EXIT.connection
  return status === 404 ? EXIT.notFound : EXIT.failed
}
