import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../node.mjs'
import { moduleState } from './module-state.ts'

test('variables of a module that can change are found', () => {
  const found = `
    let count = 0
    export const known = new Map<string, string>()
    const words: string[] = []
    const byName = {}
    const cache = new LRUCache({ max: 5 })`
  expect(moduleState('a.ts', found)).toEqual(['count', 'known', 'words', 'byName', 'cache'])
  const left = `
    const fixed = new Map([['a', 1]])
    const marked = new WeakSet()
    const LIMIT = 5
    function start() { let own = 0; const mine = new Map(); return { own, mine } }`
  expect(moduleState('a.ts', left)).toEqual([])
})

/** Tests of the server share modules, so that what a module keeps could hide from one what another left. */
const HARMLESS = {
  'child.ts': ['wanted'], // Only in a process of its own: languages that its parent was asked for.
  'old-office.ts': ['conversions'], // A number that makes names differ.
  'pdf.ts': ['copies'], // A number that makes names differ.
  'fonts.ts': ['opened'], // Files of this package, which do not change.
  'sqlite-dialect.ts': ['rowMakers'], // By columns: code that follows from them.
  'sqlite.ts': ['locks'], // Locks that are held: each is of its own file.
  'memory.ts': ['collectYoung', 'spent'], // Bytes until memory is next collected.
  'analysis.ts': ['knownWords'], // By words: terms that follow from them.
  'git.worker.ts': ['waiting', 'requests', 'cache'], // Only in a thread of its own, which ends with its clone.
}

/** The acceptance suites share modules, too; the server that they ask is in another process. */
const HARMLESS_IN_ACCEPTANCE = {
  'described.ts': ['validators'], // By schemas of the API's description, which is one for a run.
  'make.ts': ['me'], // What the key of the run may do, which does not change.
}

/** Their tests share modules, too; scripts of tools/checks are no modules, since nothing imports them. */
const OTHER_PROGRAMS = ['cli/src', 'cli/build', 'sdk/src', 'sdk/build', 'sdk-ai/src', 'sdk-react/src', 'server/build']

/** State that the modules of a folder keep, by file name. */
function stateIn(folder: string) {
  const sources = join(root, folder)
  const paths = globSync('**/*.ts', { cwd: sources }).filter((path) => !path.endsWith('.test.ts'))
  const found = paths.flatMap((path) => {
    const names = moduleState(path, readFileSync(join(sources, path), 'utf8'))
    return names.length > 0 ? [[basename(path), names]] : []
  })
  return Object.fromEntries(found)
}

test('modules that tests share keep nothing that one could leave to another', () => {
  expect(stateIn('server/src')).toEqual(HARMLESS)
  for (const folder of OTHER_PROGRAMS) expect(stateIn(folder), folder).toEqual({})
  expect(stateIn('acceptance')).toEqual(HARMLESS_IN_ACCEPTANCE)
})
