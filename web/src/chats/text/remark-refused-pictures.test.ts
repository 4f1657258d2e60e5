import type { Root } from 'mdast'
import { expect, test } from 'vitest'
import { remarkRefusedPictures } from './remark-refused-pictures.ts'

const paragraph = (...parts: (string | { code: string })[]): Root => ({
  type: 'root',
  children: [
    {
      type: 'paragraph',
      children: parts.map((part) =>
        typeof part === 'string' ? { type: 'text', value: part } : { type: 'inlineCode', value: part.code },
      ),
    },
  ],
})

function read(tree: Root): unknown {
  remarkRefusedPictures()(tree)
  const [first] = tree.children
  return first?.type === 'paragraph' && first.children.map((one: any) => one.value ?? one.data.hProperties)
}

test('a refused picture is a picture again, without an address that is loaded; links and other code stay', () => {
  const address = 'hxxps://evil[.]example/p.png'
  expect(read(paragraph('See ![a map] (', { code: address }, '), there.'))).toEqual([
    'See ',
    { alt: 'a map', dataRefused: address },
    ', there.',
  ])
  const others = [
    ['[report] (', { code: address }, ')'],
    ['![a map] (', { code: address }, ' open'],
    ['Run ', { code: 'npm start' }, ')'],
  ]
  for (const parts of others) expect(read(paragraph(...parts))).toEqual(parts.map((one: any) => one.code ?? one))
})
