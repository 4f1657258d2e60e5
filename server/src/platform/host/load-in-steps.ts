import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { isAbsolute } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'

/** Requires that run with the file itself: those within functions and conditions are indented. */
const REQUIRED = /^(?=\S).*?\brequire\(["']([^"']+)["']\)/gm

interface Visit {
  order: number
  /** Smallest order of a file that it leads back to. */
  lowest: number
  isOpen: boolean
}

/**
 * Loads a large CommonJS package file by file, required ones first, with a turn of the event loop after each: its `import()`
 * runs them all in one, and then finds them loaded. Files that require each other are loaded together, by the one of them
 * that an import would begin with, as other orders may fail.
 *
 * @param from URL of the module that will import it
 */
export async function loadInSteps(name: string, from: string | URL): Promise<void> {
  const visits = new Map<string, Visit>()
  /** Files of circles that are not whole yet. */
  const open: string[] = []

  async function visit(file: string): Promise<Visit> {
    const at: Visit = { order: visits.size, lowest: visits.size, isOpen: true }
    visits.set(file, at)
    open.push(file)
    const require = createRequire(file)
    for (const required of require.cache[file] ? [] : await requiredBy(file, require)) {
      const known = visits.get(required)
      if (!known) at.lowest = Math.min(at.lowest, (await visit(required)).lowest)
      else if (known.isOpen) at.lowest = Math.min(at.lowest, known.order)
    }
    if (at.lowest === at.order) {
      for (const one of open.splice(open.indexOf(file))) visits.get(one)!.isOpen = false
      require(file)
      await turn()
    }
    return at
  }

  try {
    await visit(createRequire(from).resolve(name))
  } catch {
    // The import fails in the same way, and says how.
  }
}

/** Files that a file requires when it is run, in their order, without what is not installed and what comes with Node. */
async function requiredBy(file: string, require: NodeJS.Require): Promise<string[]> {
  if (!/\.c?js$/.test(file)) return []
  return [...(await readFile(file, 'utf8')).matchAll(REQUIRED)].flatMap(([, name]) => {
    try {
      const path = require.resolve(name!)
      return isAbsolute(path) ? [path] : []
    } catch {
      return []
    }
  })
}
