import { type Kysely, sql } from 'kysely'

const LOOK_MS = 1_000

/**
 * Calls back within a second or so after another process has written to the embedded database: an operator's command
 * beside the server, which has no other way to say so. A look costs some microseconds.
 * @returns a function that ends it
 */
export function followOthers<S>(db: Kysely<S>, onWritten: () => void): () => void {
  let known: unknown
  const read = async () => {
    const { rows } = await sql<{ data_version: number }>`pragma data_version`.execute(db)
    const version = rows[0]?.data_version
    if (known !== undefined && version !== known) onWritten()
    known = version
  }
  // A read that fails now is tried again a second later.
  const look = () => {
    read().catch(() => {})
  }
  const timer = setInterval(look, LOOK_MS)
  timer.unref()
  look()
  return () => clearInterval(timer)
}
