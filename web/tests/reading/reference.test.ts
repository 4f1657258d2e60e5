import { Docent } from '@docent/sdk'
import { expect, onTestFinished, test } from 'vitest'
import { startUi } from '../support/ui.ts'
import { visit } from '../support/visitor.ts'

const ui = startUi()

test('the reference shows each operation with what it answers, and code in curl, TypeScript and Python', async () => {
  const { page, expectNoTrouble, leave } = await visit(ui.browser, ui.docent.url, {
    path: '/docs#tag/agents/POST/v1/agents',
  })
  onTestFinished(leave)
  await page.getByRole('heading', { name: 'Create an agent' }).waitFor()
  const operation = page.locator('section[id$="POST/v1/agents"]')
  await operation.getByText('$DOCENT_API_KEY').waitFor()
  expect(await operation.textContent()).toContain(`${ui.docent.url}/v1/agents`)
  await operation.getByRole('tab', { name: '403' }).click()
  await operation.getByText('FORBIDDEN').first().waitFor()
  await operation.getByTestId('client-picker').click()
  await page.getByRole('option', { name: 'TypeScript', exact: true }).click()
  await operation.getByText('process.env.DOCENT_API_KEY').waitFor()
  await operation.getByTestId('client-picker').click()
  await page.getByRole('option', { name: 'Python', exact: true }).click()
  await operation.getByText('os.environ').waitFor()
  // Libraries that Docent does not have are not promised.
  expect(await page.getByText('Client Libraries').isVisible()).toBe(false)
  expectNoTrouble()
})

test('somebody who is signed in fills in a key of an hour', async () => {
  const owner = new Docent({ baseUrl: ui.docent.url, apiKey: ui.docent.apiKey })
  const { url } = await owner.invitations.create({ email: 'ada@example.com', role: 'admin' })
  const { page, expectNoTrouble, leave } = await visit(ui.browser, ui.docent.url, { path: url })
  onTestFinished(leave)
  await page.getByLabel('Name').fill('Ada')
  await page.getByLabel('Password', { exact: true }).fill('seven kilns glaze at dusk')
  await page.keyboard.press('Enter')
  await page.getByRole('navigation', { name: 'Sections' }).waitFor()
  await page.goto(`${ui.docent.url}/docs#tag/agents/POST/v1/agents`)
  await page.getByText('Signed in as Ada in').waitFor()
  await page.getByRole('button', { name: 'Fill in a key for an hour' }).click()
  await page.getByText('A key of yours is filled in.').waitFor()
  const code = page.locator('section[id$="POST/v1/agents"]')
  await expect.poll(() => code.textContent()).toMatch(/x-api-key: dct_/)
  expect(await code.textContent()).not.toContain('DOCENT_API_KEY')
  expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toContain('dct_')
  expectNoTrouble()
})
