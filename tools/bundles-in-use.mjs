// Finds bundles of the server that may be removed: builds of other sources lie beside each other, and servers run from
// them.
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** A file beside the bundles for each process that runs from one: HASH.used-by-PID. */
const MARK = /^(.+)\.used-by-(\d+)$/

/** Says that this process runs from a bundle, until it ends. */
export function markInUse(folder) {
  const mark = `${folder}.used-by-${process.pid}`
  try {
    writeFileSync(mark, '')
  } catch {
    // Nothing is rebuilt where nothing can be written, as in an image.
    return
  }
  process.once('exit', () => rmSync(mark, { force: true }))
}

/**
 * Removes the bundles beside this one: a server loads parts of its own on first use, so those in use stay. So does the
 * latest, for a server that has found it and not yet said so.
 */
export function removeOldBundles(folder) {
  const all = dirname(folder)
  const inUse = new Set(findUsed(all))
  const madeAt = (path) => statSync(path).mtimeMs
  const others = readdirSync(all)
    .filter((name) => name.length === basename(folder).length)
    .map((name) => join(all, name))
    .filter((path) => path !== folder)
    .sort((a, b) => madeAt(b) - madeAt(a))
  for (const path of others.slice(1)) if (!inUse.has(path)) rmSync(path, { recursive: true, force: true })
}

/** Bundles that processes run from. Marks of processes that were killed are removed. */
function findUsed(all) {
  const marks = readdirSync(all).map((name) => MARK.exec(name))
  return marks.flatMap((mark) => {
    if (!mark) return []
    const [name, bundle, pid] = mark
    if (isRunning(Number(pid))) return [join(all, bundle)]
    rmSync(join(all, name), { force: true })
    return []
  })
}

/** Whether a process is there. */
export function isRunning(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: the process runs, and belongs to somebody else.
    return error.code === 'EPERM'
  }
}
