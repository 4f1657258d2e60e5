import { expect, test } from 'vitest'
import { plainText } from './plain-text.ts'

test.each([
  ['Open **Tuesday to Friday**, see `rules.md` [1, 2].', 'Open Tuesday to Friday, see rules.md.'],
  ['# Prices\n\n| What | Price |\n| --- | ---: |\n| Tour | free |', 'Prices What · Price Tour · free'],
  ['- [x] Blinds\n- [the ~~old~~ list](https://example.com/a)', 'Blinds · the old list'],
  ['```js\nlet a = 1\n```\n> said\n\n2. two', 'let a = 1 said · two'],
  ['2 * 3 * 4, snake_case_name and a|b stay', '2 * 3 * 4, snake_case_name and a|b stay'],
  ['Pack:\n\n1. boxes\n2. plants.\n3. keys\n\nThen go.', 'Pack: boxes · plants. keys Then go.'],
  ['', ''],
])('%j reads %j', (markdown, text) => {
  expect(plainText(markdown)).toBe(text)
})
