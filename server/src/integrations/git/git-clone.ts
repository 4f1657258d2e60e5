import { createHash } from 'node:crypto'
import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { GitSourceConfig } from './git-kind.ts'
import type { Tip } from './git-messages.ts'
import { GitError, type GitThread, TOO_MUCH } from './git-thread.ts'

/** Packs, one a fetch, from which on everything is fetched again, as one. */
const MOST_PACKS = 30
/** Clones that were not used for this long are those of integrations that are gone, or that others sync. */
const UNUSED_MS = 7 * 86_400_000

/**
 * Folder with the last commit of a repository, which later syncs only add to. It belongs to this process's disk alone
 * and may go at any time: without it everything is fetched.
 */
export function createClone(
  thread: GitThread,
  { dataDir, id, config }: { dataDir: string; id: string; config: GitSourceConfig },
) {
  const all = join(dataDir, 'git')
  const place = createHash('sha256').update(JSON.stringify([config.url, config.username, config.branch]))
  const gitdir = join(all, `${id}-${place.digest('hex').slice(0, 12)}`)
  const headers = headersOf(config)

  async function fetch({ branch }: Tip, isNew: boolean, signal: AbortSignal): Promise<string> {
    await mkdir(gitdir, { recursive: true })
    return thread.call<string>({ name: 'fetch', gitdir, url: config.url, branch, headers, isNew }, signal)
  }

  return {
    gitdir,
    /** Brings the folder to the tip. @returns the commit that it is at. @throws GitError */
    async update(tip: Tip, signal: AbortSignal): Promise<string> {
      await removeUnused(all)
      if ((await countPacks(gitdir)) > MOST_PACKS) await rm(gitdir, { recursive: true, force: true })
      const isNew = (await countPacks(gitdir)) === 0
      try {
        return await fetch(tip, isNew, signal)
      } catch (error) {
        // A clone that a killed process left half written is recreated, and so is one from which the way is too long.
        if (isNew || !(error instanceof GitError)) throw error
        if (error.failure.code === 'Request' && !error.message.startsWith(TOO_MUCH)) throw error
        await rm(gitdir, { recursive: true, force: true })
        return fetch(tip, true, signal)
      } finally {
        const now = new Date()
        await utimes(gitdir, now, now).catch(() => {
          // The branch is not there: the fetch says why.
        })
      }
    },
    /** Throws it away: something in it cannot be read. */
    remove: () => rm(gitdir, { recursive: true, force: true }),
  }
}

/** Credentials of a repository, as hosts want them with a token: the name hardly matters, the token does. */
export function headersOf({ username = 'git', token }: GitSourceConfig): Record<string, string> {
  if (token === undefined) return {}
  return { authorization: `Basic ${Buffer.from(`${username}:${token}`).toString('base64')}` }
}

async function countPacks(gitdir: string): Promise<number> {
  const names = await readdir(join(gitdir, 'objects', 'pack')).catch(() => [])
  return names.filter((name) => name.endsWith('.pack')).length
}

async function removeUnused(all: string): Promise<void> {
  for (const name of await readdir(all).catch(() => [])) {
    const used = await stat(join(all, name)).catch(() => undefined)
    if (used && Date.now() - used.mtimeMs > UNUSED_MS) await rm(join(all, name), { recursive: true, force: true })
  }
}
