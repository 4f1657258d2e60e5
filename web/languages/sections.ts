import { globSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

/** Sources of the UI. */
export const SOURCES = resolve(import.meta.dirname, '../src')

/** Part of the UI whose messages are loaded before all others: whatever is no section. */
export const START = 'start'

/**
 * Names and entries of the sections that are loaded when they are needed: `chats` and `…/chats.pages.ts`, which the
 * router opens, and others in `*.section.ts`.
 */
const sections = (): [string, string][] =>
  globSync(join(SOURCES, '{,*/}*.{pages,section}.ts')).map((path) => [basename(path).split('.')[0]!, path])

const IMPORTED = /(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+\.tsx?)'/g

/** Modules that the start and each section bring, loaded at once or later, without those of the start. */
export async function modulesBySection(): Promise<Map<string, Set<string>>> {
  const entries = sections()
  const stops = new Set(entries.map(([, path]) => path))
  const start = await reach(join(SOURCES, 'main.tsx'), stops, new Set())
  const found = new Map([[START, start]])
  for (const [name, path] of entries) {
    stops.delete(path)
    found.set(name, await reach(path, stops, start))
    stops.add(path)
  }
  return found
}

/** Modules imported from `path`, directly or not; none past `stops`, none of `known`. */
async function reach(path: string, stops: Set<string>, known: Set<string>, found = new Set<string>()) {
  if (stops.has(path) || known.has(path) || found.has(path)) return found
  found.add(path)
  const code = await readFile(path, 'utf8')
  for (const [, relative] of code.matchAll(IMPORTED)) {
    const next = resolve(dirname(path), relative!)
    if (next.startsWith(SOURCES) && (await stat(next).catch(() => null))) await reach(next, stops, known, found)
  }
  return found
}
