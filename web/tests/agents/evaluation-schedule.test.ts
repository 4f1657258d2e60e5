import { expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { startDocent } from '../support/docent.ts'
import { driveClient } from '../support/drive.ts'
import { signedIn } from '../support/signed-in.ts'

test('a question set runs every night once somebody says the hour', async () => {
  const docent = await startDocent({ DOCENT_SAMPLE: 'false' })
  onTestFinished(() => docent.stop())
  const browser = await launchBrowser()
  onTestFinished(() => browser.close())
  const client = driveClient(docent).docent
  const agent = await client.agents.create({ name: 'Clerk', model: 'builtin/extractive' })
  const set = await client.evaluation.sets.create(agent.id, { name: 'Everyday', cases: [{ question: 'Who?' }] })
  const path = `/agents/${agent.id}/evaluation?set=${set.id}`
  const { page, expectNoTrouble, expectAccessible } = await signedIn(browser, docent, { path })
  const open = async () => {
    await page.getByRole('button', { name: 'Nightly run' }).click()
    return page.getByRole('dialog', { name: 'Nightly run' })
  }
  const form = await open()
  await form.getByLabel('Run every night').check()
  await form.getByLabel('Hour').selectOption('5')
  await form.getByLabel('Time zone').fill('Mars/Olympus')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('must name a time zone').waitFor()
  await form.getByLabel('Time zone').fill('Europe/Berlin')
  await form.getByLabel('Expected text: Bound, %').fill('80')
  await form.getByLabel('Expected text: Worse by, points').fill('5')
  await expectAccessible()
  if (process.env.SHOTS) {
    await page.screenshot({ path: `${process.env.SHOTS}/schedule.png` })
    await page.setViewportSize({ width: 375, height: 800 })
    await page.screenshot({ path: `${process.env.SHOTS}/schedule-phone.png` })
    await page.setViewportSize({ width: 1280, height: 820 })
  }
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The next run begins').waitFor()
  expect((await client.evaluation.sets.get(agent.id, set.id)).schedule).toEqual({
    hour: 5,
    time_zone: 'Europe/Berlin',
    alerts: [{ measure: 'quoted', limit: 0.8, drop: 0.05 }],
  })
  const again = await open()
  expect(await again.getByLabel('Expected text: Bound, %').inputValue()).toBe('80')
  await again.getByLabel('Run every night').uncheck()
  await again.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The next run begins').waitFor({ state: 'detached' })
  await expectNoTrouble()
})
