import { expect, test } from 'vitest'
import { startScripted } from '../support/demo/scripted.ts'
import { signedIn } from '../support/signed-in.ts'

const app = startScripted()

test('a question set is written, run and looked at, and two runs are compared', async () => {
  const agent = await app.docent.agents.create({ name: 'Clerk' })
  const path = `/agents/${agent.id}/evaluation`
  const { page, expectAccessible, expectNoTrouble } = await signedIn(app.browser, app.server, { path })
  await page.getByText('No question set yet').waitFor()
  await page.getByRole('button', { name: 'New question set' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Everyday')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByText('No questions yet').waitFor()
  await page.getByRole('button', { name: 'Add questions' }).click()
  await page.getByRole('menuitem', { name: 'Write one' }).click()
  const dialog = page.getByRole('dialog', { name: 'New question' })
  await dialog.getByLabel('Question', { exact: true }).fill('How are you?')
  await dialog.getByLabel('Expected texts').fill('ok')
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('cell', { name: 'How are you?', exact: true }).waitFor({ timeout: 15_000 })
  for (const runs of [1, 2]) {
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await expect.poll(() => page.getByRole('cell', { name: 'Complete' }).count(), { timeout: 20_000 }).toBe(runs)
  }
  await expectAccessible()
  await page.getByRole('table').first().getByRole('link').first().click()
  await page.getByText('How are you?').waitFor({ timeout: 15_000 })
  await expectAccessible()
  await page.setViewportSize({ width: 375, height: 760 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.getByLabel('Compare with').selectOption({ index: 1 }, { timeout: 10_000 })
  await page.getByText('The agent is defined alike in both runs.').waitFor()
  await expectAccessible()
  expectNoTrouble()
})
