import { CommitUnansweredError, noteLost } from '../away-errors.ts'
import { DatabaseUnusableError } from '../errors.ts'

export class PostgresUnusableError extends DatabaseUnusableError {
  constructor(reason: string, cause?: Error) {
    super(`PostgreSQL (DATABASE_URL) cannot be used: ${reason}.`, { cause })
  }
}

interface PostgresError extends Error {
  code?: string
  address?: string
  port?: number
  /** Several, when a name stands for several addresses. */
  errors?: PostgresError[]
}

/**
 * Explains an error of `pg`, whose words are for programmers: an operator needs to know what to look at. Never names the
 * password.
 */
export async function explainedPostgres<R>(step: () => Promise<R>): Promise<R> {
  try {
    return await step()
  } catch (error) {
    const reason = error instanceof Error && !(error instanceof DatabaseUnusableError) && reasonOf(error)
    throw reason ? new PostgresUnusableError(reason, error) : error
  }
}

function reasonOf(error: PostgresError): string | undefined {
  const { code = '', message } = error.errors?.[0] ?? error
  if (code in REASONS) return `${message}. ${REASONS[code]}`
  if (code.startsWith('08')) return `${message}. ${REASONS.ECONNREFUSED}`
  if (/timeout|terminated|Connection ended/i.test(message)) return `${message}. ${REASONS.ECONNREFUSED}`
  if (/SSL|certificate|self-signed/i.test(message)) return `${message}. Look at sslmode in the URL`
  return undefined
}

const NOT_THERE = 'Check host and port in the URL, that the server runs, and that this machine may reach it'
const NOT_ALLOWED = 'Check user and password in the URL, and pg_hba.conf of the server'
const REASONS: Record<string, string> = {
  ECONNREFUSED: NOT_THERE,
  ENOTFOUND: NOT_THERE,
  EAI_AGAIN: NOT_THERE,
  ETIMEDOUT: NOT_THERE,
  EHOSTUNREACH: NOT_THERE,
  ENETUNREACH: NOT_THERE,
  ECONNRESET: NOT_THERE,
  ENOENT: NOT_THERE,
  EACCES: NOT_THERE,
  ERR_INVALID_URL: 'DATABASE_URL must be like postgres://USER:PASSWORD@HOST:5432/DATABASE',
  '28P01': NOT_ALLOWED,
  '28000': NOT_ALLOWED,
  '3D000': 'Create it (create database NAME owner USER), or name another one in the URL',
  '42501': 'Let this user own the database or its schema: alter database NAME owner to USER',
  '53300': 'Raise max_connections, lower DOCENT_DATABASE_CONNECTIONS, or put a pooler before the server',
  '53100': 'The disk of the server is full',
  '57P03': 'The server is starting or stopping; try again',
}

/** Throws what `pg` failed with, noted as lost if it is that. */
export function failed(error: unknown): never {
  if (isConnectionLost(error)) noteLost(error as Error)
  throw error
}

/** The connection went, or none was to be had: nothing is known to be wrong with the statement. */
function isConnectionLost(error: unknown): boolean {
  const { code = '', message = '' } = error as PostgresError
  return (
    error instanceof CommitUnansweredError ||
    LOST.has(code) ||
    code.startsWith('08') ||
    /^Connection terminated|not queryable|timeout exceeded when trying to connect/.test(message)
  )
}

const LOST = new Set(['57P01', '57P02', '57P03', '53300', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'])
