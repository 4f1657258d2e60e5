import { expect, test } from 'vitest'
import { addDesk, chatScript } from '../support/demo/chat-demo.ts'
import { startScripted } from '../support/demo/scripted.ts'
import { signedIn } from '../support/signed-in.ts'

const shared = startScripted()
const open = (path: string) => signedIn(shared.browser, shared.server, { path })

async function waitingLetter() {
  shared.script = chatScript
  const { id } = await addDesk(shared.docent, ['create_file'])
  const opened = await open(`/chat/${id}`)
  await opened.page.getByLabel('Your question to Print desk').fill('Write the letter')
  await opened.page.keyboard.press('Enter')
  return { ...opened, review: opened.page.getByRole('region', { name: 'Waits for you' }) }
}

test('a call is changed before it is allowed, or put back, and what does not fit is reported', async () => {
  const { page, review, expectNoTrouble, expectAccessible } = await waitingLetter()
  const change = review.getByRole('button', { name: 'Change', exact: true })
  await change.click()
  const name = review.getByRole('textbox', { name: 'Name' })
  const content = review.getByRole('textbox', { name: 'Content' })
  await expect.poll(() => name.evaluate((element) => element === document.activeElement)).toBe(true)
  expect(await name.inputValue()).toBe('loan-letter.md')
  await content.fill('# Loan of ten prints')
  await expectAccessible()

  // After the undo it has the agent's original value.
  await review.getByRole('button', { name: 'Put it back' }).click()
  await review.getByText('Loan of twelve prints').waitFor()
  expect(await review.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(1)
  await expect.poll(() => change.evaluate((element) => element === document.activeElement)).toBe(true)

  await page.keyboard.press('Enter')
  await content.fill('# Loan of ten prints')
  await review.getByRole('button', { name: 'Edit as JSON' }).click()
  const json = review.getByRole('textbox', { name: 'All of it, as JSON' })
  expect(JSON.parse(await json.inputValue())).toEqual({ name: 'loan-letter.md', content: '# Loan of ten prints' })
  const approve = review.getByRole('button', { name: 'Approve with changes' })
  await json.fill('{"name": "ten.md",')
  await approve.click()
  await review.getByText('This is not JSON.').waitFor()
  await expectAccessible()
  await json.fill('{"name": "ten.md", "contents": "x"}')
  await approve.click()
  await review.getByText("Contents is none of the tool's arguments (did you mean content?).").waitFor()
  await json.fill('{"name": "ten.md", "content": 10}')
  await approve.click()
  await review.getByText('Content must be a string, not a number.').waitFor()
  await expectAccessible()

  await review.getByRole('button', { name: 'Edit in boxes' }).click()
  await review.getByText('Content must be').waitFor({ state: 'detached' })
  // It was a number: edited text is parsed as JSON, too.
  await content.fill('Ten')
  await approve.click()
  await review.getByText('Write a number, true, false, null, a list or an object, or a text in double').waitFor()
  await content.fill('"# Loan of ten prints"')
  await approve.click()
  await review.waitFor({ state: 'detached' })
  const files = page.getByRole('list', { name: 'Files of this answer' })
  await files.getByText('ten.md').waitFor()
  const [, agentId, chatId] = new URL(page.url()).pathname.split('/').slice(1) as [string, string, string]
  const { messages } = await shared.docent.chats.messages.list(agentId, chatId)
  const [link] = Object.values(
    (await shared.docent.chats.messages.get(agentId, chatId, messages[0]!.id, { downloadable_output: true }))
      .downloadable_output ?? {},
  )
  expect(await (await fetch(link!)).text()).toBe('# Loan of ten prints')
  expect(messages[0]!.response).toContain('It is ready')
  expectNoTrouble()
})

test('a call is changed in the inbox, too, which shows afterwards what was allowed', async () => {
  const { page } = await waitingLetter()
  await page.getByRole('button', { name: 'Change', exact: true }).waitFor()
  await page.goto(`${shared.server.url}/inbox`)
  const card = page.getByRole('article')
  await card.getByRole('button', { name: 'Change', exact: true }).click()
  await card.getByRole('textbox', { name: 'Name' }).fill('inbox.md')
  await card.getByRole('button', { name: 'Approve with changes' }).click()
  await page.getByText('Nothing waits for you').waitFor()
  await page.getByLabel('State').selectOption('approved')
  const decided = card.filter({ hasText: 'inbox.md' })
  await decided.getByText('Allowed with these instead:').waitFor()
  await decided.getByText('loan-letter.md').first().waitFor()
})

test('an agent without folders and without a description is not said to answer from folders', async () => {
  const { id } = await shared.docent.agents.create({ name: 'Sums' })
  const { page, expectNoTrouble } = await open(`/chat/${id}`)
  await page.getByText('Sums answers without folders, from what you write and attach.').waitFor()
  expectNoTrouble()
})
