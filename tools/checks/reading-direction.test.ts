import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../node.mjs'

/**
 * Classes for a margin, padding, border or alignment at the left or right, where text may run the other way; not those
 * for one direction alone (`rtl:text-right`).
 */
const SIDES =
  /(?<=["'` :!])(?<!(?:rtl|ltr):)-?(?:[mp][lr]-(?:\d|\[|auto)|text-(?:left|right)(?=["'` ])|border-[lr](?=["'` -]))\S*/g

const sidesIn = (source: string) => source.match(SIDES) ?? []

/** Files whose sides are those of the screen. */
const OF_THE_SCREEN = [
  'web/src/drive/preview/', // Pages, sheets and code as the file has them.
  'web/src/ui/controls/search-box.tsx', // The field takes the direction of its text; the icon stays where it is.
  'web/src/access/sign-in/secret-field.tsx', // The button stays where it is, too.
]

test('classes that name a side are found, and those that follow the text are not', () => {
  const sides = ['ml-2', '-mr-1.5', 'pl-3', 'text-left', 'border-r-2']
  expect(sidesIn('className="flex sm:ml-2 -mr-1.5 !pl-3 text-left border-r-2 "')).toEqual(sides)
  expect(sidesIn('className="ms-2 pe-4 text-start border-s border-line mx-auto rtl:text-right"')).toEqual([])
})

test('the web UI names the start and the end of a line, not left and right', () => {
  const files = globSync('web/src/**/*.tsx', { cwd: root }).filter(
    (file) => !OF_THE_SCREEN.some((start) => file.startsWith(start)),
  )
  expect(files.length).toBeGreaterThan(100)
  const found = files.flatMap((file) =>
    sidesIn(readFileSync(join(root, file), 'utf8')).map((name) => `${file}: ${name}`),
  )
  expect(found).toEqual([])
})
