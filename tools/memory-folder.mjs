// Finds a folder in memory for the temporary folders of tests.
import { readFileSync, statfsSync } from 'node:fs'

const FOLDER = '/dev/shm'
/** Room needed: many times what a run of all tests holds at once. */
const ROOM_BYTES = 4 * 1024 ** 3

/**
 * Linux's folder in memory, if it has room and may hold programs, as the tests' PostgreSQL wants; else undefined.
 * Every commit is flushed to disk, which takes a loaded disk longer than the rest of the commit, and tests a fifth of
 * their time. What a process had written when it was killed is in either kind of folder.
 */
export function memoryFolder() {
  try {
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
    const options = mounts.map((line) => line.split(' ')).find(([, folder]) => folder === FOLDER)?.[3]
    if (!options?.split(',').includes('rw') || options.split(',').includes('noexec')) return undefined
    const { bavail, bsize } = statfsSync(FOLDER)
    const room = Math.min(bavail * bsize, process.availableMemory() / 2)
    return room >= ROOM_BYTES ? FOLDER : undefined
  } catch {
    return undefined
  }
}
