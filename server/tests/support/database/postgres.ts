import { inject, onTestFinished } from 'vitest'
import { createDatabase, dropDatabase } from './postgres-server.ts'

let admin: Promise<string> | undefined
let ready: Promise<string> | undefined

/** URL of the superuser of the PostgreSQL server that all tests of this run share; it starts with the first who asks. */
export const postgresAdminUrl = (): Promise<string> => (admin ??= ask())

async function ask(path = ''): Promise<string> {
  const response = await fetch(inject('postgres') + path)
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}

/**
 * An empty database of the server that all tests share, gone when the test ends; what the test opens on it must be
 * closed by then. @returns its URL, for a role that owns it and is no superuser.
 */
export const freshDatabase = (): Promise<string> => temporaryDatabase()

/** Takes what is to be done when the test ends, or something else. */
export type AtEnd = (end: () => Promise<void>) => void

/** A database with the schema and the queue, as a server leaves it that has started and stopped. */
export const readyDatabase = async (atEnd: AtEnd = onTestFinished): Promise<string> =>
  temporaryDatabase(await (ready ??= ask('/ready')), atEnd)

async function temporaryDatabase(template?: string, atEnd: AtEnd = onTestFinished): Promise<string> {
  const adminUrl = await postgresAdminUrl()
  const url = await createDatabase(adminUrl, template)
  atEnd(async () => {
    await dropDatabase(adminUrl, url)
  })
  return url
}
