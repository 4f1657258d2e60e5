import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { MakeFailure } from './failure.ts'
import { createFileMaker } from './file-maker.ts'
import type { MakeRequest } from './make-request.ts'

const cacheFolder = mkdtempSync(join(tmpdir(), 'docent-files-'))
afterAll(() => rmSync(cacheFolder, { recursive: true, force: true }))
const by = (signal: AbortSignal, organizationId = 'a') => ({ organizationId, signal })
const maker = createFileMaker({ cacheFolder })

const documentOf = (content: string): MakeRequest => ({ kind: 'pdf', content, title: 'x', page: 'A4', pictures: [] })
const never = new AbortController().signal

test('a file comes back whole from the process that makes it', async () => {
  const { bytes, notes } = await maker.make(documentOf('# Hello'), by(never))
  expect(bytes).toBeInstanceOf(Buffer)
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
  expect(bytes.toString('latin1').trimEnd()).toMatch(/%%EOF$/)
  expect(notes).toEqual([])
})

test('what the model can do better comes back as such', async () => {
  await expect(maker.make(documentOf(' '), by(never))).rejects.toThrow(new MakeFailure('The content is empty.'))
  const deep = documentOf(`${'> '.repeat(5_000)}x`)
  await expect(maker.make(deep, by(never))).rejects.toThrow(/nested too deeply/)
})

test.each(['[a](', '**a', '_a [', '\n[a]('])('%j by the thousand is refused before it is read', async (mark) => {
  await expect(maker.make(documentOf(mark.repeat(45_000)), by(never))).rejects.toThrow(/more than 5000 marks/)
})

test('links in lists, rows and paragraphs may be as many as there are', async () => {
  const link = '[a](https://good.example) **b**'
  const { bytes } = await maker.make(
    {
      kind: 'docx',
      content: `${`- ${link}\n`.repeat(1_500)}\n|a|\n|---|\n${`| ${link} |\n`.repeat(1_500)}\n${`${link}\n\n`.repeat(1_500)}\n\`\`\`\n${'a[b]\n'.repeat(6_000)}\`\`\`\n`,
      title: 'x',
      page: 'A4',
      pictures: [],
    },
    by(never),
  )
  expect(bytes.length).toBeGreaterThan(1_000)
})

test('an organization that makes files all the time does not hold up another', async () => {
  const cancelled = new AbortController()
  const long = documentOf(`${'The lighthouse stands on the hill above the harbour. '.repeat(12)}\n\n`.repeat(20_000))
  const busy = Array.from({ length: 4 }, () => maker.make(long, by(cancelled.signal)))
  const settled = Promise.allSettled(busy)
  expect((await maker.make(documentOf('# Small'), by(never, 'b'))).bytes.length).toBeGreaterThan(1_000)
  cancelled.abort(new Error('cancelled'))
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'rejected'])
})

test('a run that is cancelled does not wait for its file, nor do the others', async () => {
  const paragraph = `${'The lighthouse stands on the hill above the harbour. '.repeat(12)}\n\n`
  const long = documentOf(paragraph.repeat(3_000))
  const cancelled = new AbortController()
  const running = [maker.make(long, by(cancelled.signal)), maker.make(long, by(cancelled.signal))]
  const waiting = maker.make(long, by(cancelled.signal))
  const next = maker.make(documentOf('# Next'), by(never))
  cancelled.abort(new Error('cancelled'))
  for (const request of [...running, waiting]) await expect(request).rejects.toThrow('cancelled')
  expect((await next).bytes.length).toBeGreaterThan(1_000)
  await expect(maker.make(long, by(cancelled.signal))).rejects.toThrow('cancelled')
})

test('a file that takes too much memory fails alone, in words that help', async () => {
  const small = createFileMaker({ cacheFolder, heapMb: 48 })
  const table = `|${' a |'.repeat(20)}\n|${'---|'.repeat(20)}\n${`|${' `b` **c** |'.repeat(20)}\n`.repeat(2_000)}`
  await expect(small.make(documentOf(table), by(never))).rejects.toThrow(/needs more memory/)
})

test('fonts of the operator’s are used for letters that the others lack', async () => {
  const bold = '\u{1d400}\u{1d401}'
  await expect(maker.make(documentOf(bold), by(never))).rejects.toThrow(/lack letters/)
  const fonts = [fileURLToPath(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuMathTeXGyre.ttf'))]
  const more = createFileMaker({ cacheFolder, fonts })
  const { bytes, notes } = await more.make(documentOf(`Vector ${bold}`), by(never))
  expect(notes).toEqual([])
  expect(bytes.toString('latin1')).toContain('DejaVuMathTeXGyre')
})
