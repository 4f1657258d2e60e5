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
const maker = createFileMaker({ cacheFolder })

const documentOf = (content: string): MakeRequest => ({ kind: 'pdf', content, title: 'x', page: 'A4', pictures: [] })
const never = new AbortController().signal

test('a file comes back whole from the process that makes it', async () => {
  const { bytes, notes } = await maker.make(documentOf('# Hello'), never)
  expect(bytes).toBeInstanceOf(Buffer)
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
  expect(bytes.toString('latin1').trimEnd()).toMatch(/%%EOF$/)
  expect(notes).toEqual([])
})

test('what the model can do better comes back as such', async () => {
  await expect(maker.make(documentOf(' '), never)).rejects.toThrow(new MakeFailure('The content is empty.'))
  const deep = documentOf(`${'> '.repeat(5_000)}x`)
  await expect(maker.make(deep, never)).rejects.toThrow(/nested too deeply/)
})

test('a run that is cancelled does not wait for its file, nor do the others', async () => {
  const paragraph = `${'The lighthouse stands on the hill above the harbour. '.repeat(12)}\n\n`
  const long = documentOf(paragraph.repeat(3_000))
  const cancelled = new AbortController()
  const running = [maker.make(long, cancelled.signal), maker.make(long, cancelled.signal)]
  const waiting = maker.make(long, cancelled.signal)
  const next = maker.make(documentOf('# Next'), never)
  cancelled.abort(new Error('cancelled'))
  for (const request of [...running, waiting]) await expect(request).rejects.toThrow('cancelled')
  expect((await next).bytes.length).toBeGreaterThan(1_000)
  await expect(maker.make(long, cancelled.signal)).rejects.toThrow('cancelled')
})

test('a file that takes too much memory fails alone, in words that help', async () => {
  const small = createFileMaker({ cacheFolder, heapMb: 48 })
  const table = `|${' a |'.repeat(20)}\n|${'---|'.repeat(20)}\n${`|${' `b` **c** |'.repeat(20)}\n`.repeat(2_000)}`
  await expect(small.make(documentOf(table), never)).rejects.toThrow(/needs more memory/)
})

test('fonts of the operator’s are used for letters that the others lack', async () => {
  const bold = '\u{1d400}\u{1d401}'
  await expect(maker.make(documentOf(bold), never)).rejects.toThrow(/lack letters/)
  const fonts = [fileURLToPath(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuMathTeXGyre.ttf'))]
  const more = createFileMaker({ cacheFolder, fonts })
  const { bytes, notes } = await more.make(documentOf(`Vector ${bold}`), never)
  expect(notes).toEqual([])
  expect(bytes.toString('latin1')).toContain('DejaVuMathTeXGyre')
})
