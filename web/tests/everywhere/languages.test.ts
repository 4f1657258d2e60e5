import type { Page } from 'playwright-core'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { runAdmin } from '../../../server/tests/support/processes/admin-process.ts'
import { readCatalog, translations } from '../../languages/catalog.ts'
import { LANGUAGE_TAGS } from '../../languages/languages.ts'
import { startScripted } from '../support/demo/scripted.ts'
import { driveClient } from '../support/drive.ts'
import { everyPage } from '../support/every-page.ts'
import { measureFirstLoad } from '../support/measures/first-load.ts'
import { signedIn } from '../support/signed-in.ts'
import { visit } from '../support/visitor.ts'

const OTHER_TAGS = LANGUAGE_TAGS.filter((tag) => tag !== 'en')

const app = startScripted()
let pages: Record<string, string>
beforeAll(async () => {
  pages = await everyPage(app.docent)
})

async function come(path: string, locale = 'en-US') {
  const visitor = await visit(app.browser, app.server.url, { path, locale })
  onTestFinished(visitor.leave)
  return visitor
}

const language = (page: Page) => page.evaluate(() => document.documentElement.lang)

test('the UI speaks the language of the browser, or the one that is chosen in it', async () => {
  const { page, expectNoTrouble } = await come('/', 'de-AT')
  await page
    .getByRole('button', { name: 'Mit API-Schlüssel anmelden' })
    .or(page.getByLabel('API-Schlüssel'))
    .first()
    .waitFor()
  const choose = page.getByRole('button', { name: 'Mit API-Schlüssel anmelden' })
  if (await choose.isVisible()) await choose.click()
  await page.getByLabel('API-Schlüssel').fill(app.server.apiKey)
  await page.keyboard.press('Enter')
  await page
    .getByRole('navigation', { name: 'Bereiche' })
    .or(page.getByRole('link', { name: 'Ablage' }))
    .first()
    .waitFor()
  expect(await language(page)).toBe('de')

  await page.getByRole('button', { name: 'Inhaber' }).click()
  await page.getByRole('menuitem', { name: 'Sprache' }).click()
  await page.getByRole('dialog').getByRole('combobox').selectOption('Français')
  await page.getByRole('dialog').getByRole('button', { name: 'Speichern' }).click()
  await page.waitForFunction(() => document.documentElement.lang === 'fr')
  await page.reload()
  await page.locator('#page').waitFor()
  expect(await language(page)).toBe('fr')
  expectNoTrouble()
})

test('what the server says of a file and of a name is read in the language of the UI', async () => {
  const drive = driveClient(app.server)
  const folder = await drive.newFolder('Glasuren')
  const file_id = await drive.docent.files.upload(new File([new Uint8Array(4096).map((_, i) => i % 251)], 'kiln.bin'))
  await drive.docent.dataSources.add(folder, { file_id, data_source_title: 'kiln.bin' })
  const { page, expectAccessible } = await signedIn(app.browser, app.server, {
    path: `/drive/${folder}`,
    locale: 'de-DE',
  })
  const reason = page.getByText('Dieses Format wird nicht gelesen. Laden Sie die Datei als PDF, DOCX oder Text hoch.')
  await reason.waitFor()
  await page.getByRole('link', { name: 'kiln.bin' }).click()
  await page.getByText('The file is of an unknown binary format').waitFor()
  await reason.waitFor()
  await expectAccessible()

  await page.goto(`${app.server.url}/drive`)
  await page.getByRole('button', { name: 'Hinzufügen' }).click()
  await page.getByRole('menuitem', { name: 'Neuer Ordner' }).click()
  await page.getByRole('dialog').getByRole('textbox').first().fill('Glasuren')
  await page.keyboard.press('Enter')
  await page.getByText('Hier gibt es schon einen Ordner dieses Namens.').waitFor()
})

test('why an answer failed is read in the language of the UI, by screen readers and in threads, too', async () => {
  const { id } = await app.docent.agents.create({ name: 'Leser' })
  const { page, expectAccessible } = await signedIn(app.browser, app.server, { path: `/chat/${id}`, locale: 'de-DE' })
  const blank = { name: 'leer.txt', mimeType: 'text/plain', buffer: Buffer.from(' \n\n') }
  await page.locator('input[type=file]').setInputFiles(blank)
  await page.getByRole('textbox').fill('Was steht darin?')
  await page.getByRole('button', { name: 'Fragen', exact: true }).click()
  const reason = 'leer.txt: Die Datei enthält keinen Text.'
  await page.getByRole('article').getByText(reason).waitFor()
  await page.locator('p[aria-live=polite]').getByText(reason).waitFor({ state: 'attached' })
  const chatId = new URL(page.url()).pathname.split('/').at(-1)
  await page.goto(`${app.server.url}/agents/${id}/threads/${chatId}`)
  await page.getByRole('article').getByText(reason).waitFor()
  await expectAccessible()
})

test('the language of an account is that of every browser in which it is signed in', async () => {
  const settings = { DATA_DIR: app.server.dataDir, PORT: new URL(app.server.url).port }
  const { url }: { url: string } = await runAdmin(settings, 'sign-in-link')
  const first = await come(url)
  await first.page.getByLabel('E-mail').fill('ada@example.com')
  await first.page.getByLabel('Name').fill('Ada')
  await first.page.getByLabel('Password', { exact: true }).fill('seven kilns glaze at dusk')
  await first.page.getByRole('button', { name: 'Join', exact: true }).click()
  await first.page.locator('#page').waitFor()
  await first.page.goto(`${app.server.url}/settings/account`)
  await first.page.getByRole('button', { name: 'Change', exact: true }).first().click()
  await first.page.getByRole('combobox', { name: 'Language' }).selectOption('Español')
  await first.page.getByRole('button', { name: 'Save' }).click()
  await first.page.waitForFunction(() => document.documentElement.lang === 'es')

  const second = await come('/')
  await second.page.getByLabel('E-mail').fill('ada@example.com')
  await second.page.getByLabel('Password', { exact: true }).fill('seven kilns glaze at dusk')
  await second.page.keyboard.press('Enter')
  await second.page.waitForFunction(() => document.documentElement.lang === 'es')
  await second.page.locator('#page').waitFor()
  expect(await language(second.page)).toBe('es')
})

test('every page loads little for each language', async () => {
  const { page } = await signedIn(app.browser, app.server)
  const sizes: Record<string, number> = {}
  for (const tag of OTHER_TAGS) {
    await page.evaluate((chosen) => localStorage.setItem('docent.language', chosen), tag)
    const session = await page.context().storageState()
    for (const name of ['new chat', 'chat', 'thread', 'file', 'models', 'API keys'])
      sizes[`${name} in ${tag}`] = (await measureFirstLoad(app.browser, app.server.url, pages[name]!, session)).script
  }
  expect(Object.keys(sizes)).toHaveLength(6 * OTHER_TAGS.length)
  expect(Object.entries(sizes).filter(([, bytes]) => bytes > 200_000)).toEqual([])
})

test('every page is whole in another language', async () => {
  const { page } = await signedIn(app.browser, app.server)
  await page.evaluate(() => localStorage.setItem('docent.language', 'de'))
  const english = [...translations(await readCatalog('de'))]
    .filter(([text, own]) => text !== own && /[a-z] [a-z]/.test(text))
    .map(([text]) => text)
  expect(english.length).toBeGreaterThan(1000)
  const texts = new Set(english)
  for (const [name, path] of Object.entries(pages)) {
    const reply = await page.goto(app.server.url + path, { waitUntil: 'networkidle' })
    // An address that the server does not know would be shown all the same.
    expect({ name, status: reply?.status() }).toEqual({ name, status: 200 })
    const lines = (await page.locator('body').innerText()).split('\n')
    expect({ name, english: lines.filter((line) => texts.has(line.trim())) }).toEqual({ name, english: [] })
  }
})
