import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answer, type ModelServer, startModelServer } from '../../../server/tests/support/models/model-server.ts'
import { launchBrowser } from '../support/browser.ts'
import { type RunningDocent, startDocent } from '../support/docent.ts'
import { driveClient, markedText } from '../support/drive.ts'
import { signedIn } from '../support/signed-in.ts'

let model: ModelServer
let docent: RunningDocent
let browser: Browser
let drive: ReturnType<typeof driveClient>

beforeAll(async () => {
  model = await startModelServer({ script: () => answer('The keeper counts twelve seconds.') })
  docent = await startDocent({
    OPENAI_COMPATIBLE_BASE_URL: model.openaiUrl,
    DOCENT_MODEL: 'openai-compatible/scripted',
    DOCENT_SAMPLE: 'false',
  })
  browser = await launchBrowser()
  drive = driveClient(docent)
}, 180_000)

afterAll(async () => {
  await browser?.close()
  await docent?.stop()
  await model?.close()
})

test('one palette finds folders, files, what files and chats say, and opens each at the place', async () => {
  const { agents, chats } = drive.docent
  const agentId = (await agents.create({ name: 'Keeper' })).id
  const chat = await chats.create(agentId, { title: 'Evening watch', chat_type: 'interact' })
  await chats.query(agentId, chat.id, { query: 'Where is the foghorn kept?' })
  for (let index = 0; index < 55; index++) await chats.query(agentId, chat.id, { query: `Anything else, ${index}?` })
  const hours = await chats.create(agentId, { title: 'Foghorn hours', chat_type: 'interact' })
  await chats.query(agentId, hours.id, { query: 'When may the foghorn sound?' })
  const folder = await drive.newFolder('Foghorn papers')
  const page3 = Array.from({ length: 60 }, (_, line) => `Line ${line} speaks of the harbour and its boats.`)
  const notes = [...page3, 'The foghorn sounds twice a minute in fog.', ...page3].join('\n\n')
  await drive.addFiles(folder, { 'foghorn.txt': 'An old drawing.', 'harbour.txt': notes })

  const { page, expectNoTrouble, expectAccessible } = await signedIn(browser, docent, { path: `/chat/${agentId}` })
  const composer = page.getByLabel('Your question to Keeper')
  await composer.focus()
  const palette = page.getByRole('dialog', { name: 'Search' })
  await page.keyboard.press('Control+k')
  await palette.waitFor()
  await page.keyboard.type('foghorn')
  const files = palette.getByRole('group', { name: 'Files and folders' })
  await files.getByRole('option', { name: 'Foghorn papers Folder' }).waitFor()
  await files.getByRole('option', { name: 'foghorn', exact: false }).nth(1).waitFor()
  const said = palette.getByRole('group', { name: 'In the documents' })
  await said.getByRole('option', { name: /sounds twice a minute/ }).waitFor()
  const asked = palette.getByRole('group', { name: 'In your chats' })
  await asked.getByRole('option', { name: /Where is the foghorn kept/ }).waitFor()
  // A chat that is called so and says it, too, is listed once, with what it says.
  const both = palette.getByRole('option', { name: /Foghorn hours/ })
  await both.filter({ hasText: 'When may the foghorn sound?' }).waitFor()
  expect(await both.count()).toBe(1)
  await expectAccessible()

  await page.keyboard.press('Escape')
  await palette.waitFor({ state: 'detached' })
  expect(await composer.evaluate((box) => box === document.activeElement)).toBe(true)

  await page.keyboard.press('Control+k')
  await page.keyboard.type('foghorn')
  const ofChat = asked.getByRole('option', { name: /Where is the foghorn kept/ })
  await ofChat.waitFor()
  while ((await ofChat.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const first = page.getByRole('article').filter({ hasText: 'Where is the foghorn kept?' })
  await expect.poll(() => first.evaluate((turn) => turn === document.activeElement)).toBe(true)
  await expect.poll(() => first.evaluate((turn) => turn.getBoundingClientRect().top)).toBeLessThan(300)
  expect(await first.evaluate((turn) => turn.getBoundingClientRect().top)).toBeGreaterThan(0)

  await page.keyboard.press('Control+k')
  await page.keyboard.type('foghorn twice')
  await said.getByRole('option', { name: /sounds twice a minute/ }).click()
  await expect.poll(() => markedText(page)).toContain('foghorn')
  await expect
    .poll(() =>
      page
        .getByText('The foghorn sounds twice a minute')
        .first()
        .evaluate((line) => {
          const { top, bottom } = line.getBoundingClientRect()
          return bottom > 0 && top < innerHeight
        }),
    )
    .toBe(true)

  await page.setViewportSize({ width: 375, height: 700 })
  await page.keyboard.press('Control+k')
  await page.keyboard.type('zzyzx')
  await palette.getByText('Nothing has this name').waitFor()
  await expectAccessible()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('foghorn')
  await asked.waitFor()
  await said.waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  expectNoTrouble()
})

test('what is typed while the palette is on its way goes into it, not into the box below', async () => {
  const agentId = (await drive.docent.agents.create({ name: 'Piper' })).id
  const { page } = await signedIn(browser, docent, { path: `/chat/${agentId}` })
  const composer = page.getByLabel('Your question to Piper')
  await composer.focus()
  await page.waitForLoadState('networkidle')
  const loaded = Promise.withResolvers<void>()
  await page.route('**/*.js', async (route) => {
    await loaded.promise
    await route.continue()
  })
  await page.keyboard.press('Control+k')
  await page.keyboard.type('ses')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('ttings')
  loaded.resolve()
  const box = page.getByRole('dialog', { name: 'Search' }).getByRole('combobox')
  await expect.poll(() => box.inputValue()).toBe('settings')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  await page.goBack()
  expect(await composer.inputValue()).toBe('')
})

test('the palette finds pages of the settings, dialogs of the account and new agents, and tells files of one name apart', async () => {
  const [inner, outer] = [await drive.newFolder('Inner pier'), await drive.newFolder('Outer pier')]
  for (const folder of [inner, outer]) await drive.addFiles(folder, { 'mooring.txt': 'Ring four.' })
  const { page, expectNoTrouble, expectAccessible } = await signedIn(browser, docent, { path: '/drive' })
  const palette = page.getByRole('dialog', { name: 'Search' })
  const find = async (text: string) => {
    await page.keyboard.press('Control+k')
    await palette.waitFor()
    await page.keyboard.type(text)
  }
  const account = page.getByRole('complementary').getByRole('button', { name: /Owner$/ })
  await account.focus()
  for (const [text, name, path] of [
    ['models', 'Models', 'models'],
    ['audit', 'Audit log', 'audit-log'],
    ['api keys', 'API keys', 'keys'],
    ['webhooks', 'Webhooks', 'webhooks'],
  ] as const) {
    await find(text)
    await palette
      .getByRole('group', { name: 'Pages' })
      .getByRole('option', { name: `${name} Settings` })
      .click()
    await page.waitForURL(`**/settings/${path}`)
    // Keys go on in the new page, and no longer from the button that had the focus.
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('page')
    await account.focus()
  }
  await find('new agent')
  await palette.getByRole('option', { name: 'New agent' }).click()
  await page.getByRole('heading', { name: 'New agent', level: 1 }).waitFor()
  await find('voice')
  await palette.getByRole('option', { name: 'Voice' }).click()
  await page.getByRole('dialog', { name: 'Voice' }).waitFor()
  await page.keyboard.press('Escape')

  await find('mooring')
  const files = palette.getByRole('group', { name: 'Files and folders' })
  await files.getByRole('option', { name: 'mooring.txt Inner pier' }).waitFor()
  await files.getByRole('option', { name: 'mooring.txt Outer pier' }).waitFor()
  await expectAccessible()
  expectNoTrouble()
})

test('rows of a table are found in words, beside which nothing says that the search goes on', async () => {
  const folder = await drive.newFolder('Stores')
  await drive.addFiles(folder, { 'stores.csv': 'item,price\nlamp oil,12.50\nsealing wax,7.20\n', 'blank.txt': ' \n' })
  const { page, expectNoTrouble } = await signedIn(browser, docent, { path: '/drive' })
  const slow = Promise.withResolvers<void>()
  await page.route('**/v1/chats/search*', async (route) => {
    await slow.promise
    await route.continue()
  })
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Search' })
  await palette.waitFor()
  await page.keyboard.type('sealing')
  const found = palette.getByRole('option', { name: /stores\.csv/ })
  await found.getByText('item: sealing wax · price: 7.20', { exact: true }).waitFor()
  await expect.poll(() => palette.getByRole('status').textContent()).toBe('1 result')
  slow.resolve()
  await found.click()
  // The row that was found is marked, and not the whole table.
  const rows = page.getByRole('table').getByRole('row')
  await expect
    .poll(() => rows.evaluateAll((all) => all.map((row) => row.className.includes('bg-mark'))))
    .toEqual([false, false, true])

  await page.goto(`${docent.url}/drive/${folder}`)
  const blank = page.getByRole('row').filter({ hasText: 'blank.txt' })
  await blank.hover()
  await blank.getByRole('button', { name: 'Actions for blank.txt' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Try again' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await blank.getByRole('link').click()
  await page.getByText('Docent could not read this file').waitFor()
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  expectNoTrouble()
})
