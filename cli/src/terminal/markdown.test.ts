import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { streamMarkdown } from './markdown.ts'

const ESCAPE = String.fromCharCode(27)

function shown(pieces: string[]): string[] {
  const written: string[] = []
  const markdown = streamMarkdown((text) => written.push(text))
  for (const piece of pieces) markdown.add(piece)
  markdown.end()
  return written
}

test('blocks appear once they are whole, formatted', () => {
  const written = shown(['# Ki', 'lns\n', '\nFire at **12', '40** degrees.\n\n- one\n', '- `two`\n'])
  expect(written).toHaveLength(3)
  expect(written[1]).toContain(`${ESCAPE}[1m1240`)
  expect(stripVTControlCharacters(written.join(''))).toBe('Kilns\n\nFire at 1240 degrees.\n\n• one\n• two\n')
})

test('tables, code, quotes and links are readable, and nothing that a terminal obeys comes through', () => {
  const text = [
    '| kiln | degrees |\n|---|---|\n| three | 1240 |\n',
    '```js\nfire()\n```\n',
    '> said\n',
    `1. [docs](https://docs.example)\n2. x${ESCAPE}[2Jy\n3. &#27;]0;title&#7;z\n`,
  ]
  const out = shown(text.map((part) => `${part}\n`)).join('')
  expect(stripVTControlCharacters(out)).toBe(
    'kiln   degrees\n─────  ───────\nthree  1240   \n\n    fire()\n\n│ said\n\n1. docs (https://docs.example)\n2. xy\n3. \uFFFD]0;title\uFFFDz\n',
  )
  expect(out).not.toContain(`${ESCAPE}[2J`)
})
