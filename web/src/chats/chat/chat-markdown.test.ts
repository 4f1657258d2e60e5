import type { Message } from '@docent/sdk'
import { expect, test } from 'vitest'
import { toMarkdown } from './chat-markdown.ts'

const message = (fields: Partial<Message>): Message =>
  ({ query: 'Who?', response: 'Ada.', error_message: null, citations: [], ...fields }) as Message

test('a chat is a document of its questions, answers and sources', () => {
  const citation = {
    index: 1,
    title: 'crew.md',
    location: { line_start: 4 },
    text: 'Ada keeps\n the lamp. ',
  } as Message['citations'][number]
  const text = toMarkdown({ title: 'Lamp' }, [
    message({ response: 'Ada [1].', citations: [citation] }),
    message({ query: 'A long one\nof two lines', response: '', error_message: 'cancelled' }),
    message({ error_message: 'The model is away' }),
  ])
  expect(text).toBe(
    [
      '# Lamp',
      '## Who?',
      'Ada [1].',
      '- [1] crew.md, Line 4: “Ada keeps the lamp.”',
      '## Question',
      '> A long one\n> of two lines',
      '*This answer was stopped.*',
      '## Who?',
      'Ada.',
      '*The model is away*\n',
    ].join('\n\n'),
  )
})
