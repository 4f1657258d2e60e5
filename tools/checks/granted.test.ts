import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../node.mjs'

const IMPORT = /import\s*\{([^}]*)\}\s*from\s*'[^']*(?:access\/access|rules\/granted)\.ts'/g

test('only the files that check may mark a resource as checked', () => {
  const sources = join(root, 'server/src')
  const paths = globSync('**/*.ts', { cwd: sources }).filter((path) => !/\.(test|access)\.ts$/.test(path))
  const marking = paths.filter((path) => {
    const names = [...readFileSync(join(sources, path), 'utf8').matchAll(IMPORT)].map(([, list]) => list!)
    return names.some((list) => /\bgrant\b/.test(list))
  })
  expect(paths.length).toBeGreaterThan(300)
  expect(marking).toEqual([])
})
