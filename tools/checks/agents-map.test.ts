import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../../', import.meta.url)

test('every path that AGENTS.md names is there', () => {
  const text = readFileSync(new URL('AGENTS.md', root), 'utf8')
  const paths = [...text.matchAll(/`((?:server|web|sdk|tools|docs)\/[\w./-]+)`/g)].map(([, path]) => path!)
  expect(paths.length).toBeGreaterThan(10)
  expect(paths.filter((path) => !existsSync(new URL(path, root)))).toEqual([])
})

test('every source file that a comment or a guide names is there', () => {
  const files = globSync(
    ['*.ts', '{server,web,sdk,sdk-ai,sdk-react,cli,tools,bench,acceptance}/**/*.{ts,tsx,mjs}', '**/*.md'],
    {
      cwd: root,
      exclude: ['**/{node_modules,dist,.cache,fixtures}/**', '**/CHANGELOG.md'],
    },
  )
  const paths = files.map((path) => `/${path}`)
  const named = files.flatMap((file) =>
    readFileSync(new URL(file, root), 'utf8')
      .split('\n')
      .filter((line) => file.endsWith('.md') || /^\s*(?:\*|\/\/|\/\*)/.test(line))
      .flatMap((line) =>
        [...line.matchAll(/`((?:[\w-]+\/)*[\w.-]+\.(?:ts|tsx|mjs))`/g)].map(([, name]) => ({ file, name })),
      ),
  )
  expect(named.length).toBeGreaterThan(100)
  expect(named.filter(({ name }) => !paths.some((path) => path.endsWith(`/${name}`)))).toEqual([])
})
