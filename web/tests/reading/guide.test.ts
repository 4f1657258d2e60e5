import { expect, onTestFinished, test } from 'vitest'
import { startUi } from '../support/ui.ts'
import { visit } from '../support/visitor.ts'

const ui = startUi()

test('a reader searches the guide by the keyboard, copies code, and chooses dark colours', async () => {
  const { page, expectNoTrouble, expectAccessible, leave } = await visit(ui.browser, ui.docent.url, {
    path: '/guide',
    colorScheme: 'light',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  onTestFinished(leave)
  await page.getByRole('heading', { name: 'Guide', level: 1 }).waitFor()
  await expectAccessible()
  await page.keyboard.press('/')
  await page.keyboard.type('retry after webhook')
  await page.getByText(/^\d results$/).waitFor()
  await expectAccessible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/guide\/webhooks#when-it-fails$/)
  const code = page.locator('.code').first()
  await code.getByRole('button', { name: 'Copy' }).click()
  await code.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("import { Docent } from '@docent/sdk'")

  await page.getByRole('button', { name: 'Dark colours' }).click()
  await expectAccessible()
  await page.goto(`${ui.docent.url}/guide/errors`)
  await page.getByRole('button', { name: 'Light colours' }).waitFor()
  await expectAccessible()
  const loaded = Promise.withResolvers<void>()
  await page.route('**/guide/search.json', async (route) => {
    await loaded.promise
    await route.continue()
  })
  await page.getByRole('searchbox').fill('zebras on roller skates')
  await page.getByRole('listitem').getByText('Loading the search').waitFor()
  loaded.resolve()
  await page.getByRole('listitem').getByText('Nothing found').waitFor()
  expectNoTrouble()
})

test('the guide fits a phone, where its pages are behind a button', async () => {
  const { page, expectNoTrouble, expectAccessible, leave } = await visit(ui.browser, ui.docent.url, {
    path: '/guide/tools',
    viewport: { width: 360, height: 740 },
  })
  onTestFinished(leave)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  await expectAccessible()
  const pages = page.getByRole('navigation', { name: 'Pages', exact: true })
  expect(await pages.isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Menu' }).click()
  await pages.getByRole('link', { name: 'Upload and ask' }).click()
  await page.getByRole('heading', { name: 'Stream an answer' }).waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  expectNoTrouble()
})
