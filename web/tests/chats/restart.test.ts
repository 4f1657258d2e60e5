import { expect, onTestFinished, test } from 'vitest'
import { answer } from '../../../server/tests/support/models/model-server.ts'
import { startScripted } from '../support/demo/scripted.ts'
import { signedIn } from '../support/signed-in.ts'

const app = startScripted()

/** Words that are sent one after the other. */
const WORDS = Array.from({ length: 20 }, (_, index) => `word${index} `)

test('an answer whose server is killed and started again is shown as far as it came, each character once', async () => {
  const rest = Promise.withResolvers<void>()
  onTestFinished(() => rest.resolve())
  app.script = ({ body }) =>
    body.messages.at(-1).content.includes('Again')
      ? answer('Here ', 'I ', 'am.')
      : // The server stores what is said every two seconds: it will know the first words, and not the last ones.
        answer(...WORDS.slice(0, 10), { waitMs: 2_500 }, ...WORDS.slice(10), { until: rest.promise }, 'end')
  const { id } = await app.docent.agents.create({ name: 'Reader' })
  const { page, expectAccessible } = await signedIn(app.browser, app.server, { path: `/chat/${id}` })
  await page.getByLabel('Your question to Reader').fill('Read to me')
  await page.keyboard.press('Enter')
  const turn = page.getByRole('article')
  await turn.getByText('word19').waitFor()
  const shown = async () => (await turn.locator('.prose').textContent())!.trim()
  const before = await shown()
  expect(before).toBe(WORDS.join('').trim())

  await app.server.kill()
  await turn.getByText('The connection to the server is lost').waitFor()
  expect(await shown()).toBe(before)
  // Text typed meanwhile is not lost.
  await page.getByLabel('Your question to Reader').fill('Again')
  await app.server.start()
  await turn.getByRole('alert').waitFor({ timeout: 60_000 })
  const [agentId, chatId] = new URL(page.url()).pathname.split('/').slice(2) as [string, string]
  const stored = async () => (await app.docent.chats.messages.list(agentId, chatId)).messages
  const [message] = await stored()
  expect(message).toMatchObject({ ai_resolution_status: 'completed', error_message: expect.any(String) })
  expect(await shown()).toBe(before)
  expect(message!.response).toContain('word9')
  expect(before.startsWith(message!.response.trim())).toBe(true)
  await expectAccessible()
  await page.reload()
  await turn.getByRole('alert').waitFor()
  expect(await shown()).toBe(message!.response.trim())

  // It continues with the restarted server, in the same session.
  await page.getByLabel('Your question to Reader').fill('Again')
  await page.keyboard.press('Enter')
  await page.getByText('Here I am.', { exact: true }).first().waitFor()
  expect(await stored()).toHaveLength(2)
})

test('a question that waits for a person outlives its server, and the same answer goes on', async () => {
  app.script = ({ body }) =>
    body.messages.at(-1).role === 'tool'
      ? answer('It is ', 'written.')
      : answer('I prepared it. ', { toolCall: { name: 'create_file', arguments: { name: 'a.txt', content: 'A.' } } })
  const { id } = await app.docent.agents.create({
    name: 'Writer',
    tools: ['create_file'],
    tools_needing_approval: ['create_file'],
  })
  const { page } = await signedIn(app.browser, app.server, { path: `/chat/${id}` })
  await page.getByLabel('Your question to Writer').fill('Write it')
  await page.keyboard.press('Enter')
  const turn = page.getByRole('article')
  const approve = turn.getByRole('button', { name: 'Approve' })
  await approve.waitFor()
  await app.server.kill()
  await app.server.start()
  await approve.click()
  await turn.getByText('It is written.').waitFor({ timeout: 60_000 })
  expect((await turn.locator('.prose').allTextContents()).join().match(/I prepared it/g)).toHaveLength(1)
  await turn.getByRole('list', { name: 'Files of this answer' }).getByText('a.txt').waitFor()
})
