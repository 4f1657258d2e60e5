import { expect, test } from 'vitest'
import { createTextFrames } from './text-frames.ts'

interface Chunk {
  n?: number
  choices?: { delta?: { content?: string; refusal?: string } }[]
}

const textOf = (chunk: unknown) => {
  const { content, refusal } = (chunk as Chunk).choices?.[0]?.delta ?? {}
  return content && !refusal ? content : undefined
}

/** Part cut out of each chunk, in their order; undefined where it was parsed. */
function cutOut(chunks: string[]): (string | undefined)[] {
  const frames = createTextFrames(textOf)
  return chunks.map((data) => {
    const text = frames.textIn(data)
    expect(takenFrom(frames, `data: ${data}\n\n`)).toEqual(text === undefined ? undefined : { text, isWhole: true })
    expect(takenFrom(frames, `data: ${data}\n`)).toBe(undefined)
    if (text !== undefined) expect(text).toBe(textOf(JSON.parse(data)))
    else frames.learn(data, JSON.parse(data))
    return text
  })
}

/** Takes an event from the middle of a stream. @returns undefined if nothing is taken */
function takenFrom(frames: ReturnType<typeof createTextFrames>, event: string) {
  let taken: { text: string; isWhole: boolean } | undefined
  const stream = `: ping\n\n${event}data: `
  const from = stream.indexOf('data: ')
  const end = frames.takeAt(stream, from, (text) => {
    taken = { text, isWhole: true }
  })
  return taken && { ...taken, isWhole: end === from + event.length }
}

const chunk = (content: string, rest = '') => `{"id":"x","choices":[{"index":0,"delta":{"content":${content}${rest}}}]}`

test('text is cut out of chunks that differ in nothing else', () => {
  expect(cutOut([chunk('"one"'), chunk('" two"'), chunk('"日本 🙂"'), chunk('"{three}"')])).toEqual([
    undefined,
    ' two',
    '日本 🙂',
    '{three}',
  ])
  expect(cutOut([chunk(' "one"'), chunk(' "two"')])).toEqual([undefined, 'two'])
})

test('what has to be parsed is parsed', () => {
  const others = ['"a\\nb"', '"\\u00e9"', '"say \\"so\\""', '""', 'null', '"a","refusal":"no"', '"a","content":"b"']
  for (const other of others) expect(cutOut([chunk('"one"'), chunk(other), chunk('"two"')])[1], other).toBe(undefined)
  expect(cutOut([chunk('"one"'), chunk('"two"', ',"refusal":"no"')])).toEqual([undefined, undefined])
  expect(cutOut([chunk('"one"', ',"refusal":"no"'), chunk('"two"', ',"refusal":"no"')])).toEqual([undefined, undefined])
})

test('a text that stands in another place, too, is not taken for the answer', () => {
  const twice = (first: string, second: string) =>
    `{"sofar":{"content":"${first}"},"choices":[{"delta":{"content":"${second}"}}]}`
  expect(cutOut([twice('one', 'one'), twice('two', 'one'), twice('one', 'two')])).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect(cutOut([twice('nothing', 'one'), twice('nothing', 'two')])).toEqual([undefined, 'two'])
})

test('a server whose chunks are all different is not tried for ever', () => {
  const chunks = Array.from({ length: 9 }, (_, n) => `{"n":${n},"choices":[{"delta":{"content":"${n}"}}]}`)
  expect(cutOut([...chunks, chunks[8]!])).toEqual(Array(10).fill(undefined))
  expect(cutOut([...chunks.slice(0, 3), chunks[2]!])).toEqual([undefined, undefined, undefined, '2'])
})
