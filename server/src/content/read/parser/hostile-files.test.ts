import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { docx, wordParagraph, zip } from '../../../../tests/support/test-files/office.ts'
import { encryptedPdf, pdf, repeatedPage, typed } from '../../../../tests/support/test-files/pdf.ts'
import { startTestReader } from '../../../../tests/support/test-files/reader.ts'
import { OUT_OF_TIME } from '../../../platform/host/watchdog.ts'
import { ParseError } from '../parse.errors.ts'

const { read, parser, folder } = startTestReader()
const MiB = 1024 * 1024

test('files that cannot be read say what to do', async () => {
  const ole = (stream: string) =>
    Buffer.concat([
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.alloc(1024),
      Buffer.from(stream, 'utf16le'),
      Buffer.alloc(512),
    ])
  const cut = docx(wordParagraph('x'.repeat(3000)))
  /** Says of its files that they want a password. */
  const locked = Buffer.from(cut)
  for (let at = 0; at + 46 < locked.length; at++) if (locked.readUInt32LE(at) === 0x02014b50) locked[at + 8]! |= 1
  const manyFiles = zip(Object.fromEntries(Array.from({ length: 20_001 }, (_, index) => [`word/${index}`, ''])))
  const cases: [string, Buffer, string, RegExp][] = [
    ['nothing.txt', Buffer.alloc(0), 'empty', /is empty/],
    ['blank.txt', Buffer.from(' \n\n \n'), 'empty', /holds no text/],
    ['secret.pdf', encryptedPdf(), 'encrypted', /password-protected\. Save a copy without/],
    ['secret.docx', ole('EncryptedPackage'), 'encrypted', /password-protected/],
    ['cut.docx', cut.subarray(0, cut.length - 200), 'damaged', /not readable as DOCX: it is cut off \(damaged\?\)/],
    ['cut.pdf', pdf([typed(['x'])]).subarray(0, 40), 'damaged', /not readable as PDF/],
    ['mail.msg', ole('__properties_version1.0'), 'damaged', /not readable as MSG/],
    ['locked.docx', locked, 'encrypted', /password-protected/],
    ['out.docx', zip({ 'word/document.xml': 'x', '../../etc/passwd': 'x' }), 'damaged', /list of files is not valid/],
    ['files.zip', zip({ 'a.txt': 'text' }), 'unknown-format', /archive.*Unpack it/],
    ['many.docx', manyFiles, 'unknown-format', /archive.*Unpack it/],
    [
      'song.txt',
      Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\0'), Buffer.alloc(4000, 1)]),
      'convert-first',
      /is a recording, which/,
    ],
    [
      'noise.docx',
      Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 7919) % 256)),
      'unknown-format',
      /unknown binary format/,
    ],
  ]
  for (const [name, bytes, failure, message] of cases) {
    const error = await read(name, bytes).catch((thrown: unknown) => thrown)
    expect(error, name).toBeInstanceOf(ParseError)
    expect(error, name).toMatchObject({ failure, message: expect.stringMatching(message), code: 'FILE_NOT_READABLE' })
  }
})

test('the content decides, not the extension', async () => {
  expect((await read('report.pdf', docx(wordParagraph('A Word file.')))).format).toBe('docx')
  expect((await read('report.docx', pdf([typed(['A PDF file with a line of text in it.'])]))).format).toBe('pdf')
  expect((await read('report.xlsx', 'Just a few words.')).format).toBe('text')
})

test('files over the size limits are refused before they are parsed', async () => {
  const small = startTestReader({ limits: { htmlBytes: 1000, officeBytes: 2000, expandedBytes: MiB } })
  const page = `<html><body>${'<p>text</p>'.repeat(200)}</body></html>`
  await expect(small.read('page.html', page)).rejects.toMatchObject({ failure: 'too-large' })
  await expect(small.read('big.docx', zip({ 'word/document.xml': randomBytes(4000) }))).rejects.toMatchObject({
    failure: 'too-large',
  })
})

test('an archive that unpacks too far is refused, also when it lies about its size', async () => {
  const small = startTestReader({ limits: { expandedBytes: MiB } })
  const bomb = docx(wordParagraph(' '.repeat(8 * MiB)))
  expect(bomb.length).toBeLessThan(MiB / 8)
  await expect(small.read('bomb.docx', bomb)).rejects.toMatchObject({
    failure: 'too-large',
    message: expect.stringMatching(/unpacked, it is more than 1 MB/),
  })
  // The size that each entry declares, in the directory and before its data: 10 bytes.
  const lying = Buffer.from(bomb)
  for (let at = 0; at + 46 < lying.length; at++) {
    const mark = lying.readUInt32LE(at)
    if (mark === 0x02014b50) lying.writeUInt32LE(10, at + 24)
    if (mark === 0x04034b50) lying.writeUInt32LE(10, at + 22)
  }
  const failure = await small.read('liar.docx', lying).catch((error: ParseError) => error.failure)
  expect(failure).toMatch(/^(?:too-large|damaged)$/)
})

test('deep nesting fails or is read, and quickly either way', async () => {
  const depth = 100_000
  await expect(read('deep.html', `<html><body>${'<div>'.repeat(depth)}x`)).rejects.toMatchObject({ failure: 'damaged' })
  const cells = docx('<w:tbl><w:tr><w:tc>'.repeat(3000) + wordParagraph('core') + '</w:tc></w:tr></w:tbl>'.repeat(3000))
  await expect(read('deep.docx', cells)).rejects.toMatchObject({
    failure: 'damaged',
    message: expect.stringMatching(/nested too deeply/),
  })
  expect((await read('deep.json', `${'{"a":'.repeat(depth)}"bottom"${'}'.repeat(depth)}`)).text).toContain('bottom')
})

test('a file that takes too long is stopped, and the next one is read by a new process', async () => {
  const hasty = startTestReader({ limits: { baseMs: 3_000, perPageMs: 0 } })
  const endless = `<html><body>${'<p>word <b>by</b> word</p>'.repeat(380_000)}</body></html>`
  await expect(hasty.read('long.html', endless)).rejects.toMatchObject({
    failure: 'timeout',
    message: expect.stringMatching(/took too long/),
  })
  // On a busy machine it may take longer than that to start the process.
  await expect.poll(async () => (await hasty.read('short.txt', 'still here')).text).toBe('still here')
  expect(readdirSync(hasty.folder).filter((name) => name.endsWith('.work'))).toEqual([])
})

test('no number of pages raises the ceiling of time', async () => {
  const short = startTestReader({ limits: { perPageMs: 1e9, mostMs: 1_000 } })
  await expect(short.read('long.txt', 'word '.repeat(8_000_000))).rejects.toMatchObject({
    failure: 'timeout',
    message: expect.stringMatching(/stopped after 1 seconds/),
  })
})

test('processor time has the same ceiling, whoever holds the thread', async () => {
  const program = `
    import { createWatchdog } from ${JSON.stringify(new URL('../../../platform/host/watchdog.ts', import.meta.url))}
    const watchdog = createWatchdog()
    watchdog.beginFile(200)
    watchdog.watch(10_000)
    for (;;) {}
  `
  const file = path.join(folder, 'busy.mjs')
  await writeFile(file, program)
  const child = spawn(process.execPath, [file], { stdio: 'ignore' })
  expect(await once(child, 'exit')).toEqual([null, OUT_OF_TIME])
})

test('a PDF that names a page again and again is refused, one of many pages is read', async () => {
  await expect(read('kids.pdf', repeatedPage(20_000))).rejects.toMatchObject({
    failure: 'damaged',
    message: expect.stringMatching(/lists more pages than it contains/),
  })
  const pages = Array.from({ length: 60 }, (_, page) => typed([`The text of page ${page} of a long report.`], 11, 500))
  expect((await read('report.pdf', pdf(pages))).text).toContain('page 59')
})

test('a file that takes too much memory is stopped: by the limit of the heap, and by that of the process', async () => {
  const body = Array.from({ length: 60_000 }, (_, index) =>
    wordParagraph(`Paragraph number ${index} of a long document`),
  ).join('')
  const bytes = docx(body)
  const smallHeap = startTestReader({ limits: { heapMb: 48 } })
  await expect(smallHeap.read('heap.docx', bytes)).rejects.toMatchObject({ failure: 'memory' })
  const smallProcess = startTestReader({ limits: { rssMb: 130 } })
  await expect(smallProcess.read('rss.docx', bytes)).rejects.toMatchObject({ failure: 'memory' })
})

test('an aborted file is stopped at once and leaves nothing behind', async () => {
  const abort = new AbortController()
  const file = path.join(folder, 'aborted')
  await writeFile(file, `<html><body>${'<p>word <b>by</b> word</p>'.repeat(380_000)}</body></html>`)
  const outputPath = `${file}.jsonl`
  const parse = parser.parse({ path: file, name: 'long.html', outputPath, signal: abort.signal })
  await sleep(200)
  abort.abort(new Error('deleted'))
  await expect(parse).rejects.toThrow('deleted')
  expect(existsSync(outputPath)).toBe(false)
  await expect(parser.parse({ path: file, name: 'x', outputPath, signal: abort.signal })).rejects.toThrow('deleted')
})

test('a file that is not there or an output that cannot be written is no fault of the file', async () => {
  const missing = parser.parse({ path: path.join(folder, 'none'), name: 'x', outputPath: path.join(folder, 'out') })
  const error = await missing.catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'ENOENT' })
  expect(error).not.toBeInstanceOf(ParseError)
  const there = path.join(folder, 'there.txt')
  await writeFile(there, 'a sentence. '.repeat(50_000))
  const belowFile = path.join(there, 'out')
  await expect(parser.parse({ path: there, name: 'x', outputPath: belowFile })).rejects.toMatchObject({
    code: expect.stringMatching(/^(EEXIST|ENOTDIR)$/),
  })
})
