import { chmod, lstat, readdir } from 'node:fs/promises'

/** Bits of a mode that let other users of the machine in. */
const OTHERS = 0o077
const STICKY = 0o1000

/**
 * Closes what this process and its children make from here on to all other users: it holds secrets, and what documents
 * and chats say.
 */
export function keepNewFilesPrivate(): void {
  process.umask(OTHERS)
}

/** Closes a folder to other users if nothing is in it yet: somebody made it for this process. */
export async function claimEmptyFolder(folder: string): Promise<void> {
  const names = await readdir(folder).catch(unlessGone)
  if (names?.length === 0 && (await isOpenToOthers(folder))) await closeToOthers(folder)
}

/**
 * Whether other users of the machine may use a file or folder that belongs to the user of this process (to any user, if
 * that is root). False where nothing is there, and on Windows, which has no such modes.
 */
export async function isOpenToOthers(path: string): Promise<boolean> {
  const found = await modeOf(path)
  if (!found || !process.getuid) return false
  // Nobody is to find a folder like /tmp closed because somebody took it for DATA_DIR.
  if ((found.mode & STICKY) !== 0) return false
  return (found.mode & OTHERS) !== 0 && [0, found.uid].includes(process.getuid())
}

export async function closeToOthers(path: string): Promise<void> {
  const found = await modeOf(path)
  if (found) await chmod(path, found.mode & 0o700).catch(unlessGone)
}

const modeOf = (path: string) => lstat(path).catch(unlessGone)

/** The server may remove it while somebody looks. */
function unlessGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
