import { expect, test } from 'vitest'
import { driveOf } from '../../support/drive/drive.ts'
import { shareTestApps, startTestApp } from '../../support/test-app.ts'
import { repeatedPage } from '../../support/test-files/pdf.ts'

shareTestApps()

/** A drive of an organization of its own. */
async function newTenant({ services, call }: Awaited<ReturnType<typeof startTestApp>>, name: string) {
  const { apiKey: key } = await services.access.createOrganization(name)
  const drive = driveOf({ call: (method, path, body, options) => call(method, path, body, { key, ...options }) })
  const folder = await drive.newFolder(name)
  return {
    ...drive,
    add: (title: string, content: string | Uint8Array) => drive.addFile(folder, { title, content, index: true }),
    read: async (id: string) => (await drive.succeed('GET', `/knowledge-bases/${folder}/data-sources/${id}`)).data,
    remove: () => drive.succeed('DELETE', `/knowledge-bases/${folder}`),
  }
}

/** Takes a parser much longer than a test does. */
const SLOW = `<html><body>${'<p>word <b>by</b> word</p>'.repeat(380_000)}</body></html>`

test('files of one organization that take long do not hold up those of another', async () => {
  const app = await startTestApp({ DOCENT_INDEXERS: '2' })
  const [busy, small] = [await newTenant(app, 'busy'), await newTenant(app, 'small')]
  const slow = await Promise.all(['a.html', 'b.html', 'c.html', 'd.html'].map((title) => busy.add(title, SLOW)))
  await expect.poll(async () => (await busy.read(slow[0]!)).status).toBe('indexing')
  const note = await small.add('note.txt', 'The lighthouse opens at nine.')
  await expect.poll(async () => (await small.read(note)).status).toBe('successful')
  const left = await Promise.all(slow.map(async (id) => (await busy.read(id)).status))
  expect(left.filter((status) => status === 'successful').length).toBeLessThan(slow.length)
  await busy.remove()
})

test('more files of one organization than are indexed at once do not keep another waiting for its turn', async () => {
  const app = await startTestApp({ DOCENT_INDEXERS: '1' })
  const [busy, small] = [await newTenant(app, 'busy'), await newTenant(app, 'small')]
  const slow = await Promise.all(Array.from({ length: 40 }, (_, n) => busy.add(`${n}.html`, n < 3 ? SLOW : 'short')))
  const note = await small.add('note.txt', 'The lighthouse opens at nine.')
  await expect.poll(async () => (await small.read(note)).status).toBe('successful')
  const left = await Promise.all(slow.map(async (id) => (await busy.read(id)).status))
  expect(left).toContain('indexing')
  await busy.remove()
})

test('a PDF that names its page again and again fails with the reason, and others are indexed meanwhile', async () => {
  const app = await startTestApp()
  const [busy, small] = [await newTenant(app, 'busy'), await newTenant(app, 'small')]
  const bomb = repeatedPage(100_000)
  const bombs = await Promise.all(['a.pdf', 'b.pdf'].map((title) => busy.add(title, bomb)))
  const note = await small.add('note.txt', 'The lighthouse opens at nine.')
  await expect.poll(async () => (await small.read(note)).status).toBe('successful')
  for (const id of bombs)
    await expect
      .poll(() => busy.read(id), { timeout: 100_000 })
      .toMatchObject({ status: 'failed', status_reason: expect.stringMatching(/lists more pages than it contains/) })
})
