import { expect, test } from 'vitest'
import { answer } from '../../../server/tests/support/models/model-server.ts'
import { startScripted } from '../support/demo/scripted.ts'
import { signedIn } from '../support/signed-in.ts'

const app = startScripted({ DOCENT_OUTBOUND_ALLOW: '127.0.0.1/32' })

test('a configuration chat proposes, and the person applies or dismisses', async () => {
  const proposal = {
    summary: 'A warmer tone, and files.',
    changes: { instructions: 'Greet.\nBe warm.', tools: ['create_file'] },
    jobs: [{ name: 'Letters', instructions: 'Write letters.' }],
    shortcuts: [{ name: 'Thank', prompt: 'Thank {{name}}', fields: [{ name: 'name' }] }],
  }
  app.script = ({ body }) =>
    body.messages.at(-1).role === 'tool'
      ? answer('Have a look at my proposal.')
      : answer({ toolCall: { name: 'propose_changes', arguments: proposal } })
  const { id } = await app.docent.agents.create({ name: 'Host', instructions: 'Greet.\nBe cold.' })
  const { page, expectNoTrouble, expectAccessible } = await signedIn(app.browser, app.server, {
    path: `/agents/${id}?side=configure`,
  })
  const side = page.getByRole('complementary', { name: 'Set up by talking' })
  await expectAccessible()
  await side.getByLabel('Your question to the assistant').fill('Make it warmer')
  await page.keyboard.press('Enter')
  const card = side.getByRole('region', { name: 'Proposed changes' })
  await card.getByText('Old: Be cold.').waitFor()
  await card.getByText('New: Be warm.').waitFor()
  expect(await card.getByText('Greet.', { exact: true }).count()).toBe(0)
  await side.getByText('Have a look at my proposal.').first().waitFor()
  expect(await app.docent.agents.get(id)).toMatchObject({ instructions: 'Greet.\nBe cold.', tools: [] })
  await expectAccessible()

  await page.getByLabel('Description').fill('Half a change')
  expect(await card.getByRole('button', { name: 'Apply' }).isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'Discard' }).click()
  await card.getByRole('button', { name: 'Apply' }).click()
  await card.getByText('Applied').waitFor()
  expect(await app.docent.agents.get(id)).toMatchObject({ ...proposal.changes, description: '' })
  expect((await app.docent.agents.jobs.list(id)).jobs).toMatchObject(proposal.jobs)
  expect((await app.docent.agents.shortcuts.list(id)).shortcuts).toMatchObject([{ name: 'Thank' }])
  expect(await page.getByLabel('Instructions').inputValue()).toBe('Greet.\nBe warm.')

  await side.getByLabel('Your question to the assistant').fill('Again')
  await page.keyboard.press('Enter')
  await card.nth(1).getByRole('button', { name: 'Dismiss' }).click()
  await card.nth(1).getByText('Dismissed').waitFor()
  expect((await app.docent.chats.list(id)).chats).toMatchObject([{ chat_type: 'configuration' }])
  expectNoTrouble()
})

test('a proposal that is applied half-way goes on where it ended, and makes nothing twice', async () => {
  const proposal = {
    summary: 'Three tasks.',
    changes: { description: 'Does three things' },
    jobs: ['Letters', 'Bills', 'Minutes'].map((name) => ({ name, instructions: `Write ${name}.` })),
    shortcuts: [{ name: 'Thank', prompt: 'Thank {{name}}', fields: [{ name: 'name' }] }],
  }
  app.script = ({ body }) =>
    body.messages.at(-1).role === 'tool'
      ? answer('Have a look.')
      : answer({ toolCall: { name: 'propose_changes', arguments: proposal } })
  const { id } = await app.docent.agents.create({ name: 'Clerk' })
  const { page } = await signedIn(app.browser, app.server, { path: `/agents/${id}?side=configure` })
  await page.getByLabel('Your question to the assistant').fill('Three tasks, please')
  await page.keyboard.press('Enter')
  const card = page.getByRole('region', { name: 'Proposed changes' })
  await card.getByText('Minutes').first().waitFor()
  // The server creates the second job, and the connection breaks before each response, also to what is sent again.
  let made = 0
  await page.route('**/v1/agents/*/jobs', async (route) => {
    if (route.request().method() !== 'POST' || ++made < 2) return route.fallback()
    await route.fetch()
    return route.abort('connectionreset')
  })
  await card.getByRole('button', { name: 'Apply' }).click()
  await card.getByRole('alert').getByText('what was done is not done twice').waitFor()
  const names = async () => (await app.docent.agents.jobs.list(id)).jobs.map(({ name }) => name).sort()
  expect(await names()).toEqual(['Bills', 'Letters'])
  await expect.poll(() => card.getByText('Letters', { exact: true }).count()).toBe(0)
  await page.unroute('**/v1/agents/*/jobs')
  await page.reload()
  await card.getByRole('button', { name: 'Apply' }).click()
  await card.getByText('Applied').waitFor()
  expect(await names()).toEqual(['Bills', 'Letters', 'Minutes'])
  expect((await app.docent.agents.shortcuts.list(id)).shortcuts).toHaveLength(1)
  expect(await app.docent.agents.get(id)).toMatchObject(proposal.changes)
})

test('where the model cannot converse, the configuration chat says what to do', async () => {
  const { id } = await app.docent.agents.create({ name: 'Quoter', model: 'builtin/extractive' })
  const { page } = await signedIn(app.browser, app.server, { path: `/agents/${id}?side=configure` })
  await page.getByText('This needs a model that converses').waitFor()
  await page.getByRole('link', { name: 'Choose a model' }).click()
  await page.getByLabel('Model').waitFor()
})
