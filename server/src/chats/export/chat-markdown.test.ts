import { expect, test } from 'vitest'
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
      '> A long one\n> of two lines',
      '*This answer was stopped.*',
      '## Who?',
      'Ada.',
      '*The model is away*\n',
    ].join('\n\n'),
  )
})
