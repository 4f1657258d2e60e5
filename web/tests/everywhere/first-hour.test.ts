import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Docent } from '@docent/sdk'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { type RunningDocent, startDocent } from '../support/docent.ts'
import { dropFromDisk, holdFromDisk } from '../support/drive.ts'
import { join as joinAs } from '../support/joined.ts'
import { signedIn } from '../support/signed-in.ts'
import { openWindow } from '../support/visitor.ts'

const HANDBOOK = `# Lighthouse handbook

## The lamp
The lamp is lit at sunset and must turn once every twelve seconds, which sailors know as the sign of this coast.

## The boat
The supply boat comes on the first Tuesday of each month.
`

let docent: RunningDocent
let browser: Browser
let files: string

beforeAll(async () => {
  files = await mkdtemp(join(tmpdir(), 'docent-first-'))
  await writeFile(join(files, 'lighthouse-handbook.md'), HANDBOOK)
  await writeFile(join(files, 'tides.txt'), 'High tide is at six in the morning.')
  for (const name of ['wrecks', 'storms', 'buoys'])
    await writeFile(join(files, `${name}.txt`), `The ${name} of this coast are counted each spring.`)
  await writeFile(join(files, 'broken.pdf'), '%PDF-1.4 broken')
  await writeFile(join(files, 'large.txt'), 'tide '.repeat(600))
  // As it is started first: a fresh data folder with the sample, and no model.
  docent = await startDocent()
  browser = await launchBrowser()
}, 180_000)

afterAll(async () => {
  await browser?.close()
  await docent?.stop()
  await rm(files, { recursive: true, force: true })
})

test('the first cited answer from an own document takes one drop, and at most three clicks', async () => {
  const { page, expectNoTrouble, expectAccessible } = await signedIn(browser, docent)
  await page.getByRole('heading', { name: 'Drop your documents. Ask.' }).waitFor()
  await expectAccessible()
  await page.evaluate(() => {
    Object.assign(window, { clicks: 0 })
    addEventListener('click', () => (window as unknown as { clicks: number }).clicks++, { capture: true })
  })
  const begun = performance.now()
  // The page takes what is dropped on the sidebar, too.
  await dropFromDisk(page, [join(files, 'lighthouse-handbook.md')], { x: 100, y: 500 })
  // Asked before the document is read: the question waits for it.
  await page.getByLabel('Your question').fill('How often must the lamp turn?')
  await page.keyboard.press('Enter')
  const turn = page.getByRole('article')
  await turn.getByRole('button', { name: /^Source, 1, lighthouse-handbook.md/ }).waitFor()
  const tookMs = performance.now() - begun
  await turn.getByText('every twelve seconds').first().waitFor()
  console.info(`first cited answer after ${(tookMs / 1_000).toFixed(1)} s`)
  expect(await page.evaluate(() => (window as unknown as { clicks: number }).clicks)).toBeLessThanOrEqual(3)
  await expectAccessible()

  const api = new Docent({ baseUrl: docent.url, apiKey: docent.apiKey })
  const { agents } = await api.agents.list()
  expect(agents.map(({ name }) => name)).toContain('Lighthouse handbook')

  // Questions are offered only if the search answers them, and come from the documents' own headings.
  await page.getByRole('link', { name: 'New chat' }).click()
  const offered = page.getByRole('list', { name: 'Questions to begin with' })
  await offered.getByRole('button', { name: 'What does “Lighthouse handbook” say about “The lamp”?' }).waitFor()
  await expectAccessible()

  // Files dropped on the drive's root get a folder, which can be asked about with one click.
  await page.getByRole('link', { name: 'Drive' }).click()
  await page.getByRole('row').filter({ hasText: 'Lighthouse handbook' }).waitFor()
  await dropFromDisk(page, [join(files, 'tides.txt')])
  await page.getByRole('main').getByRole('link', { name: 'Tides', exact: true }).waitFor()
  await page.getByRole('link', { name: 'these are in the new folder “Tides”' }).click()
  await page.getByRole('row').filter({ hasText: 'tides.txt' }).getByText('Ready').waitFor()
  await page.getByRole('button', { name: 'Ask about this' }).click()
  await page.getByLabel('Your question to Tides').fill('When is high tide?')
  await page.keyboard.press('Enter')
  await turn.getByRole('button', { name: /^Source, 1, tides.txt/ }).waitFor()
  expectNoTrouble()
})

test('documents that cannot be read leave nothing behind, and ones that are too large are refused before they are sent', async () => {
  const fresh = await startDocent({ DOCENT_MAX_UPLOAD_BYTES: '2000' })
  onTestFinished(() => fresh.stop())
  const api = new Docent({ baseUrl: fresh.url, apiKey: fresh.apiKey })
  const made = async () => [
    (await api.knowledgeBases.list()).org_knowledge_bases.map(({ name }) => name),
    (await api.agents.list()).agents.map(({ name }) => name),
  ]
  const [folders, agents] = await made()
  const { page, expectAccessible } = await signedIn(browser, fresh)
  await page.getByRole('heading', { name: 'Drop your documents. Ask.' }).waitFor()
  await dropFromDisk(page, [join(files, 'large.txt')])
  await page.getByText('Too large: 3.0 KB, and this server takes files of up to 2.0 KB.').waitFor()
  expect(await made()).toEqual([folders, agents])

  // A question that was asked meanwhile stays in its box.
  await dropFromDisk(page, [join(files, 'broken.pdf')])
  await page.getByLabel('Your question').fill('How often must the lamp turn?')
  await page.keyboard.press('Enter')
  await page.getByText('None of these can be read').waitFor()
  expect(await page.getByLabel('Your question').inputValue()).toBe('How often must the lamp turn?')
  await expectAccessible()
  await page.getByRole('button', { name: 'Start over' }).click()
  await page.getByText('broken.pdf').waitFor({ state: 'detached' })
  expect(await made()).toEqual([folders, agents])

  await dropFromDisk(page, [join(files, 'broken.pdf')])
  await page.getByText('None of these can be read').waitFor()
  await dropFromDisk(page, [join(files, 'lighthouse-handbook.md')])
  await page.getByText('Ready', { exact: true }).waitFor()
  expect(await made()).toEqual([
    expect.arrayContaining([...folders!, 'Lighthouse handbook']),
    expect.arrayContaining([...agents!, 'Lighthouse handbook']),
  ])
  expect((await made())[0]).not.toContain('Broken')
  // A file that cannot be read stays beside one that can be.
  await dropFromDisk(page, [join(files, 'broken.pdf')])
  await page.getByText('Could not be read', { exact: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('article').getByText('every twelve seconds').first().waitFor()
})

test('below the answer of the offline model, an admin who joined is led to the models', async () => {
  const api = new Docent({ baseUrl: docent.url, apiKey: docent.apiKey })
  const visitor = await openWindow(browser, docent.url)
  onTestFinished(visitor.leave)
  await joinAs(visitor, { url: docent.url, docent: api, role: 'admin' }, 'Ada')
  const { page } = visitor
  await page.goto(docent.url)
  await page.getByLabel('Your question').fill('What is Docent?')
  await page.keyboard.press('Enter')
  await page.getByRole('article').waitFor()
  await page.getByText('Your chats here are private to you.').waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Connect a model' }).click()
  await page.waitForURL('**/settings/models')
})

test('files dropped on a page without folders get one, and a dialog takes none', async () => {
  const { page, expectNoTrouble, expectAccessible } = await signedIn(browser, docent, { path: '/agents' })
  const api = new Docent({ baseUrl: docent.url, apiKey: docent.apiKey })
  const names = async () => (await api.knowledgeBases.list()).org_knowledge_bases.map(({ name }) => name)
  await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor()
  await holdFromDisk(page, [join(files, 'wrecks.txt')])
  await page.getByText('Add to the drive, in a folder of their own').waitFor()
  await expectAccessible()
  await dropFromDisk(page, [join(files, 'wrecks.txt')])
  await page.getByText('Add to the drive, in a folder of their own').waitFor({ state: 'detached' })
  await page.getByText('Files live in folders: these are in the new folder “Wrecks”.').waitFor()
  await page.getByText('1 file ready').waitFor()
  await expectAccessible()
  const wrecks = (await api.knowledgeBases.list()).org_knowledge_bases.find(({ name }) => name === 'Wrecks')
  await expect.poll(async () => (await api.dataSources.list(wrecks!._id)).data_sources.length).toBe(1)

  await page.goto(`${docent.url}/settings/keys`)
  await page.getByRole('button', { name: 'New key' }).first().click()
  await page.getByRole('dialog').waitFor()
  await holdFromDisk(page, [join(files, 'storms.txt')], { x: 640, y: 400 })
  expect(await page.getByText('Add to the drive').count()).toBe(0)
  await dropFromDisk(page, [join(files, 'storms.txt')], { x: 640, y: 400 })
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await dropFromDisk(page, [join(files, 'buoys.txt')])
  await page.getByText('these are in the new folder “Buoys”.').waitFor()
  expect(await names()).toContain('Buoys')
  expect(await names()).not.toContain('Storms')
  expect(page.url()).toContain('/settings/keys')
  expectNoTrouble()
})

test('files dropped before the page is drawn are taken by the page that comes', async () => {
  const { page, expectNoTrouble } = await signedIn(browser, docent, { path: '/agents' })
  let drawn = Promise.withResolvers<void>()
  await page.route('**/v1/session*', async (route) => {
    await drawn.promise
    await route.continue()
  })
  for (const [path, text] of [
    ['/agents', /in the new folder “Storms.*”/],
    ['/chat', /^storms/i],
  ] as const) {
    drawn = Promise.withResolvers()
    const asked = page.waitForRequest('**/v1/session*')
    await page.goto(docent.url + path, { waitUntil: 'commit' })
    await asked
    await dropFromDisk(page, [join(files, 'storms.txt')])
    drawn.resolve()
    await page.getByText(text).first().waitFor()
  }
  expectNoTrouble()
})

test('on a narrow dark screen the first page is usable, too', async () => {
  const { page, expectAccessible } = await signedIn(browser, docent, {
    colorScheme: 'dark',
    viewport: { width: 375, height: 740 },
    path: '/drive',
  })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375)
  await expectAccessible()
})
