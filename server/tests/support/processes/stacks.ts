import { randomUUID } from 'node:crypto'
import { expect, onTestFinished } from 'vitest'
import { temporaryFolder } from '../database/database.ts'
import { readyDatabase } from '../database/postgres.ts'
import { startS3Server } from '../storage/s3-server.ts'

/** Stores of a server for its rows, tasks, bytes and index. */
export const STACKS = ['embedded', 'PostgreSQL and S3'] as const

export type Stack = (typeof STACKS)[number]

/** Expects that what a kill cut off is ended: the embedded stack does it before it serves, others have to notice. */
export async function expectEnded(stack: Stack, status: () => Promise<string>): Promise<void> {
  if (stack === 'embedded') expect(await status()).toBe('completed')
  else await expect.poll(status, { timeout: 60_000 }).toBe('completed')
}

/**
 * Settings of an installation without data; what it needs goes when the test ends.
 * @param database which PostgreSQL starts with: one that has the schema, as after an earlier start, or an empty one
 * @returns settings for each start: on PostgreSQL and S3 every start gets a DATA_DIR of its own, as on another machine
 */
export async function installationOn(
  stack: Stack,
  database = readyDatabase,
): Promise<() => Promise<Record<string, string>>> {
  if (stack === 'embedded') {
    const DATA_DIR = await temporaryFolder()
    return async () => ({ DATA_DIR })
  }
  const [DATABASE_URL, s3] = await Promise.all([database(), startS3Server()])
  onTestFinished(() => s3.close())
  // Its port may have been another server's, to which a process that is about to end still writes.
  const prefix = randomUUID()
  return async () => ({ DATABASE_URL, ...s3.settings(prefix), DATA_DIR: await temporaryFolder() })
}
