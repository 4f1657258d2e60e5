import { createHash } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { drawnPdf } from '../../../../tests/support/test-files/pdf.ts'
import { png, scan } from '../../../../tests/support/test-files/print.ts'
import { startTestReader } from '../../../../tests/support/test-files/reader.ts'
import { createOutbound } from '../../../platform/outbound/outbound.ts'
import { parseOutboundAllow } from '../../../platform/outbound/outbound-allow.ts'
import { createLanguageLoader, type LanguageSource } from './language-data.ts'
import { TESSDATA } from './ocr-data.ts'

const outbound = createOutbound({ allow: parseOutboundAllow('127.0.0.1/32') })
const folder = mkdtempSync(path.join(tmpdir(), 'docent-languages-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
let folders = 0

function startLoader(source?: LanguageSource) {
  const cacheFolder = path.join(folder, `cache-${++folders}`)
  const failures: string[] = []
  const onFailure = (_: string, error: unknown) => failures.push((error as Error).message)
  return { load: createLanguageLoader({ cacheFolder, source, outbound, onFailure }), cacheFolder, failures }
}

const GERMAN = [
  'Größe und Gewicht der Öfen müssen geprüft werden.',
  'Die Straße führt über die Brücke zum Müller.',
  'Bitte drücken Sie den Schalter für fünf Sekunden.',
]
const ENGLISH = ['The oven runs at a temperature of 1240 degrees.', 'After two hours the valve is opened slowly']

describe('a picture in a language whose data can be loaded is read in it', () => {
  const { load, cacheFolder } = startLoader()
  const reader = startTestReader({ loadLanguage: load, cacheFolder })

  test('German, a word of it, and English as before', async () => {
    expect((await reader.read('a.png', png(GERMAN))).text).toContain(
      'Größe und Gewicht der Öfen müssen geprüft werden.',
    )
    expect((await reader.read('a.png', png(['Größe']))).text).toBe('Größe')
    expect((await reader.read('a.png', png(ENGLISH))).text).toMatch(/valve is opened slowly/)
  })

  test('pages of a scan, each in its own', async () => {
    const { text, notes } = await reader.read('a.pdf', drawnPdf([scan(ENGLISH), scan(GERMAN), scan(ENGLISH)]))
    expect(text.match(/valve is opened slowly/g)).toHaveLength(2)
    expect(text).toContain('Die Straße führt über die Brücke zum Müller.')
    expect(notes ?? []).toEqual([])
  })

  test('one in a language without data is refused as before', async () => {
    const reading = reader.read('a.png', png(['Печь работает при температуре 1240 градусов.']))
    await expect(reading).rejects.toThrow(/could not be recognised with certainty/)
  })
})

/** A registry with one package, whose data is not real: only whoever reads a picture with it would notice. */
async function startRegistry({ integrity, status = 200 }: { integrity?: string; status?: number } = {}) {
  const data = Buffer.from('data of French')
  const file = gzipSync(data)
  const head = Buffer.alloc(512)
  head.write('package/4.0.0_best_int/fra.traineddata.gz')
  head.write(`${file.length.toString(8).padStart(11, '0')} `, 124)
  const packed = gzipSync(Buffer.concat([head, file, Buffer.alloc(1536 - (file.length % 512))]))
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url!)
    if (status !== 200) return response.writeHead(status).end()
    if (request.url === '/fra.tgz') return response.end(packed)
    if (request.url !== '/npm/@tesseract.js-data%2ffra') return response.writeHead(404).end('{}')
    const hash = integrity ?? `sha512-${createHash('sha512').update(packed).digest('base64')}`
    const dist = { tarball: `${url}/fra.tgz`, integrity: hash }
    return response.end(JSON.stringify({ versions: { '1.0.0': { dist } } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { source: { kind: 'registry' as const, url: `${url}/npm/` }, asked, data }
}

test('data is fetched from a registry once, checked, and kept', async () => {
  const { source, asked, data } = await startRegistry()
  const { load, cacheFolder, failures } = startLoader(source)
  expect(await Promise.all([load('fra'), load('fra')])).toEqual([true, true])
  expect(await readFile(path.join(cacheFolder, TESSDATA, 'fra.traineddata'))).toEqual(data)
  expect(await load('fra')).toBe(true)
  expect(asked).toEqual(['/npm/@tesseract.js-data%2ffra', '/fra.tgz'])
  // A language that the registry lacks is not asked for again, and one that nobody knows not at all.
  expect([await load('spa'), await load('spa'), await load('../spa'), await load('xyz')]).not.toContain(true)
  expect(asked).toHaveLength(3)
  expect(failures).toEqual([])
})

test('data with another hash is not used, and a registry that is down is left alone', async () => {
  for (const options of [{ integrity: 'sha512-AAAA' }, { integrity: 'md5-AAAA' }, { status: 503 }]) {
    const { source, asked } = await startRegistry(options)
    const { load, failures } = startLoader(source)
    expect([await load('fra'), await load('fra'), await load('spa')]).toEqual([false, false, false])
    expect(failures).toEqual([expect.stringMatching(/hash|503/)])
    expect(asked.filter((url) => url.includes('spa'))).toEqual([])
  }
})

test('data comes from a folder', async () => {
  const source = { kind: 'folder' as const, path: path.join(folder, 'data') }
  await mkdir(source.path)
  await writeFile(path.join(source.path, 'fra.traineddata'), 'data')
  const { load, cacheFolder, failures } = startLoader(source)
  expect([await load('fra'), await load('rus')]).toEqual([true, false])
  expect(await readFile(path.join(cacheFolder, TESSDATA, 'fra.traineddata'), 'utf8')).toBe('data')
  expect(failures).toEqual([])
})

/** Folder with real data, as Debian's packages tesseract-ocr-rus, -ukr, -ell, -ara, -chi-sim, -fra and -pol bring it. */
const real = process.env.TEST_TESSDATA

describe.runIf(real)('with data of many languages each is recognised', () => {
  const { load, cacheFolder } = startLoader({ kind: 'folder', path: real! })
  const reader = startTestReader({ loadLanguage: load, cacheFolder })

  test.each([
    ['Печь работает при температуре 1240 градусов.', 'После двух часов клапан медленно открывается.'],
    ['Печь работает'],
    ['Піч працює при температурі 1240 градусів.', 'Після двох годин клапан повільно відкривається.'],
    ['Μετά από δύο ώρες η βαλβίδα ανοίγει αργά.'],
    ['Le four fonctionne à une température de 1240 degrés.', 'Où est passé le maire ? Il a été appelé.'],
    ['Proszę zadzwonić do majstra, zanim uruchomią maszynę.', 'Ciśnienie nie jest stałe przez dwie godziny.'],
  ])('%s', async (...lines) => {
    const { text } = await reader.read('a.png', png(lines))
    for (const line of lines) expect(text.replace(/\s+/g, ' ')).toContain(line)
  })

  test('beside English on the same page', async () => {
    for (const line of ['После двух часов клапан медленно открывается.', 'Μετά από δύο ώρες η βαλβίδα ανοίγει αργά.']) {
      const lines = [ENGLISH[1]!, 'and the pressure falls to normal.', line]
      const { text, notes } = await reader.read('a.png', png(lines))
      expect(text.replace(/\s+/g, ' ')).toBe(lines.join(' '))
      expect(notes ?? []).toEqual([])
    }
  })

  test('Chinese and Arabic', async () => {
    const picture = await readFile(new URL('../fixtures/chinese.png', import.meta.url))
    expect((await reader.read('a.png', picture)).text).toMatch(/温\s*度/)
    expect((await reader.read('a.png', png(['يعمل الفرن عند درجة حرارة عالية جدا']))).text).toContain('حرارة')
  })

  test('a picture without text stays one', async () => {
    const clouds = await readFile(new URL('../fixtures/clouds.jpg', import.meta.url))
    await expect(reader.read('a.jpg', clouds)).rejects.toThrow(/No text was found|certainty/)
  })
})
