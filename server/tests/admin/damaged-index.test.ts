import { mkdtempSync } from 'node:fs'
import { cp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../support/database/database.ts'
import { driveOf } from '../support/drive/drive.ts'
import { startLibraryServer } from '../support/drive/library.ts'
import { runAdmin, startAdmin } from '../support/processes/admin-process.ts'
import { KEY } from '../support/processes/restartable.ts'
import { INDEX_DAMAGES, MENDED, wordsAreIndexed } from '../support/storage/damage.ts'
import { startS3Server } from '../support/storage/s3-server.ts'
import { startTestApp } from '../support/test-app.ts'

const COUNT = 6
const WORDS = ['anchor', 'barrel', 'candle', 'dagger', 'engine', 'feather', 'goblet']

type Search = (query: string) => Promise<{ status: number; headers: Headers; body: any }>

function searchOf(url: string, folder: string, key: string): Search {
  return async (query) => {
    const reply = await fetch(`${url}/v1/knowledge-bases/${folder}/search?query=${query}`, {
      headers: { 'x-api-key': key },
    })
    return { status: reply.status, headers: reply.headers, body: await reply.json() }
  }
}

/** Every answer until all is found says that the index is not whole, or that nothing is found yet; none is a 500. */
async function untilAllIsFound(search: Search, words: string[]) {
  const seen = new Set<number>()
  await vi.waitFor(
    async () => {
      for (const word of words) {
        const { status, headers, body } = await search(word)
        seen.add(status)
        if (status === 503) {
          expect(body.error_code).toBe('UNAVAILABLE')
          expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
        }
        expect(status).toBe(200)
        expect(body.data.results.map((hit: any) => hit.title)).toEqual([`${word}.txt`])
      }
    },
    { timeout: 60_000, interval: 100 },
  )
  expect([...seen].filter((status) => status !== 200 && status !== 503)).toEqual([])
  return seen
}

const stopped = mkdtempSync(join(tmpdir(), 'docent-test-'))
afterAll(() => rm(stopped, { recursive: true, force: true, maxRetries: 10 }))
let made: Promise<{ folder: string; words: string[] }> | undefined

/** A library that a server made, which has ended: every test gets a copy of what it left. */
async function makeLibrary() {
  const server = await startLibraryServer({ DATA_DIR: stopped, LOG_LEVEL: 'error' })
  const folder = await server.newFolder('Library')
  const words = WORDS.slice(0, COUNT)
  const ids: string[] = []
  for (const word of words) ids.push(await server.addFile(folder, `${word}.txt`, `The ${word} lies on the table.`))
  for (const id of ids) await server.isIndexed(folder, id)
  await untilAllIsFound(searchOf(server.url, folder, KEY), words)
  await wordsAreIndexed(stopped)
  await server.end('SIGTERM')
  return { folder, words }
}

async function library(DATA_DIR: string) {
  const all = await (made ??= makeLibrary())
  await cp(stopped, DATA_DIR, { recursive: true })
  return all
}

test.each(MENDED)('%s: the server makes the index again by itself, and new files are indexed', async (name) => {
  const DATA_DIR = await temporaryFolder()
  const { folder, words } = await library(DATA_DIR)
  await INDEX_DAMAGES[name]!(DATA_DIR)
  const doctor = await startAdmin({ DATA_DIR }, 'doctor').ended
  expect([doctor.code, doctor.result?.healthy], doctor.stderr).toEqual([1, false])
  if (name === 'the table gone') expect(doctor.result.files_not_in_index).toBe(COUNT)
  else expect(doctor.result.damaged_indexes).toBe(1)

  const again = await startLibraryServer({ DATA_DIR, LOG_LEVEL: 'error' })
  const search = searchOf(again.url, folder, KEY)
  const first = await search(words[0]!)
  expect([first.status, first.body.error_code]).toEqual([503, 'UNAVAILABLE'])
  const late = await again.addFile(folder, 'goblet.txt', 'The goblet lies on the table.')
  await again.isIndexed(folder, late)
  await untilAllIsFound(search, [...words, 'goblet'])
  expect(await runAdmin({ DATA_DIR }, 'doctor')).toMatchObject({ healthy: true })
})

test('the folder of the index goes while the server runs: it is made again', async () => {
  const DATA_DIR = await temporaryFolder()
  const { folder, words } = await library(DATA_DIR)
  const server = await startLibraryServer({ DATA_DIR, LOG_LEVEL: 'error' })
  await untilAllIsFound(searchOf(server.url, folder, KEY), words)
  await rm(join(DATA_DIR, 'search'), { recursive: true, maxRetries: 10 })
  const late = await server.addFile(folder, 'goblet.txt', 'The goblet lies on the table.')
  await server.isIndexed(folder, late)
  await untilAllIsFound(searchOf(server.url, folder, KEY), [...words, 'goblet'])
  await server.end('SIGTERM')
  expect(await runAdmin({ DATA_DIR }, 'doctor')).toMatchObject({ healthy: true })
})

const UNSEEN = ['data files gone', 'some bytes of the words changed']

test.each(UNSEEN)('%s: doctor --fix beside a running server has it mended at once', async (name) => {
  const DATA_DIR = await temporaryFolder()
  const { folder, words } = await library(DATA_DIR)
  await INDEX_DAMAGES[name]!(DATA_DIR)
  const again = await startLibraryServer({ DATA_DIR, LOG_LEVEL: 'error' })
  const fixed = await startAdmin({ DATA_DIR }, 'doctor', '--fix').ended
  expect([fixed.code, fixed.result]).toEqual([1, expect.objectContaining({ healthy: false, damaged_indexes: 1 })])
  await vi.waitFor(async () => expect(await runAdmin({ DATA_DIR }, 'doctor')).toMatchObject({ healthy: true }), {
    timeout: 40_000,
    interval: 500,
  })
  expect(await untilAllIsFound(searchOf(again.url, folder, KEY), words)).toEqual(new Set([200]))
})

test.each(['data', '_indices'])('%s gone in a bucket: the index is made again there, too', async (part) => {
  const s3 = await startS3Server()
  onTestFinished(() => s3.close())
  const DATA_DIR = await temporaryFolder()
  const settings = { ...s3.settings('one'), DATA_DIR }
  const first = await startTestApp(settings)
  const { newFolder, addFile, succeed } = driveOf(first)
  const folder = await newFolder('Library')
  const id = await addFile(folder, { title: 'anchor.txt', content: 'The anchor lies on the table.', index: true })
  const isIndexed = async () =>
    expect((await succeed('GET', `/knowledge-bases/${folder}/data-sources/${id}`)).data.status).toBe('successful')
  await vi.waitFor(isIndexed, { timeout: 30_000, interval: 50 })
  await untilAllIsFound(searchOf(first.url, folder, first.owner.apiKey), ['anchor'])
  await first.close()

  await s3.removeFolder(`one/search/${first.owner.organizationId}.v1.lance/${part}`)
  const second = await startTestApp(settings)
  const search = searchOf(second.url, folder, first.owner.apiKey)
  expect((await search('anchor')).status).toBe(503)
  await untilAllIsFound(search, ['anchor'])
})
