import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../../', import.meta.url)

test('every path that AGENTS.md names is there', () => {
  const text = readFileSync(new URL('AGENTS.md', root), 'utf8')
  const paths = [...text.matchAll(/`((?:server|web|sdk|tools|docs)\/[\w./-]+)`/g)].map(([, path]) => path!)
  expect(paths.length).toBeGreaterThan(10)
  expect(paths.filter((path) => !existsSync(new URL(path, root)))).toEqual([])
})
