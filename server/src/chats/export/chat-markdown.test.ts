import { expect, test } from 'vitest'
import { readMarkdown } from '../../content/write/markdown/markdown-document.ts'
import { type Block, plainText, type Run } from '../../content/write/written-document.ts'
import { toMarkdown, type WrittenTurn } from './chat-markdown.ts'

const turn = (fields: Partial<WrittenTurn>): WrittenTurn => ({
  query: 'Who?',
  response: 'Ada.',
  errorMessage: null,
  citations: [],
  files: [],
  ...fields,
})

test('headings of answers are below those of the questions', () => {
  const text = toMarkdown('Lamp', [
    turn({ response: '# Ada\n\nShe keeps it.\n\n## Bob' }),
    turn({ response: '#### Ada' }),
  ])
  expect(text.match(/^#.*$/gm)).toEqual(['# Lamp', '## Who?', '### Ada', '#### Bob', '## Who?', '#### Ada'])
})

test('a chat is a document of its questions, answers, files and sources', () => {
  const citation = {
    index: 1,
    data_source_id: '6b011eeaf72b366c25bef04c',
    title: 'crew.md',
    location: { page: 4 },
    text: 'Ada keeps\n the lamp. ',
  }
  const text = toMarkdown('Lamp', [
    turn({ response: 'Ada [1].', citations: [citation], files: ['crew.pdf', 'crew.csv'] }),
    turn({ query: 'A long one\nof two lines', response: '', errorMessage: 'cancelled' }),
    turn({ errorMessage: 'The model is away' }),
  ])
  expect(text).toBe(
    [
      '# Lamp',
      '## Who?',
      'Ada [1].',
      'Files: crew.pdf, crew.csv',
      '- [1] crew.md, page 4: “Ada keeps the lamp.”',
      '## Question',
      '> A long one\\\n> of two lines',
      '*This answer was stopped.*',
      '## Who?',
      'Ada.',
      '*The model is away*\n',
    ].join('\n\n'),
  )
})

/** Words that would be marks, links, tags, formulas, lists or headings, were they read as Markdown. */
const WORDS = [
  'A <b>bold</b> & [x](http://e.example) *title*',
  '<script>alert(1)</script> is 2*3*4 & _x_ shown?',
  '# one ## two #',
  '1. first',
  '- [x] done',
  '=== and ---',
  '---',
  '\\[x\\] and \\(y_1\\) and $a^b$ and $$c_d$$',
  'C:\\dir\\_a_ &amp; &#60; R&D ~~no~~ ```x``` ![p](q) a|b [^1] [1]: z',
  'https://e.example/a_b_c?x=1&y=2 www.e.example ada@e.example <http://e.example>',
]

/** Texts that a PDF shows of Markdown, each with its kind. @throws for words in any style */
async function shownOf(markdown: string): Promise<[kind: string, text: string][]> {
  const textOf = (runs: Run[]) => {
    // An address may be a link to itself.
    for (const { text, link, ...style } of runs)
      expect({ text, ...style, isLink: link !== undefined }).toEqual({
        text,
        isLink: /^(http:|https:|www\.|ada@)/.test(text),
      })
    return plainText(runs)
  }
  const lines = (blocks: Block[], around = ''): [string, string][] =>
    blocks.flatMap((block) => {
      if (block.kind === 'heading' || block.kind === 'paragraph') return [[around || block.kind, textOf(block.runs)]]
      if (block.kind === 'quote') return lines(block.blocks, 'quote')
      if (block.kind === 'list') return block.items.flatMap(({ blocks }) => lines(blocks, 'item'))
      throw new Error(`${block.kind} in ${markdown}`)
    })
  return lines(await readMarkdown(markdown, { named: async () => undefined, charted: () => Promise.reject() }))
}

test.each(WORDS)('what people wrote and what is cited stays as it is: %s', async (words) => {
  const citation = { index: 1, data_source_id: '6b011eeaf72b366c25bef04c', title: words, location: {}, text: words }
  const turns = [
    turn({ query: words, response: 'See [1].', citations: [citation] }),
    turn({ query: `First\n\n${words}\n    ${words}` }),
  ]
  expect(await shownOf(toMarkdown(words, turns))).toEqual([
    ['heading', words],
    ['heading', words],
    ['paragraph', 'See [1].'],
    ['item', `[1] ${words}: “${words}”`],
    ['heading', 'Question'],
    ['quote', 'First'],
    ['quote', expect.stringMatching(/./)],
    ['paragraph', 'Ada.'],
  ])
  const quoted = (await shownOf(toMarkdown('', turns))).find(([kind, text]) => kind === 'quote' && text !== 'First')
  expect(quoted![1].split('\n').map((line) => line.trim())).toEqual([words, words])
})
