import { Docent } from '@docent/sdk'
import type { Page } from 'playwright-core'
import type { Script } from '../../../../server/tests/support/models/model-server.ts'
import { addDesk, asked, chatScript } from '../demo/chat-demo.ts'
import type { RunningDocent } from '../docent.ts'

const QUESTIONS = /Write the letter|What about light|Give me the numbers/

/** Script of the model for the chats of the desk. */
export const withDesk =
  (script: Script): Script =>
  (request, index) =>
    (QUESTIONS.test(asked(request.body.messages ?? []).question) ? chatScript : script)(request, index)

/** Agents of the chat pictures: one that asks before it makes files, and one that does not. */
export async function addDesks({ url, apiKey }: RunningDocent): Promise<{ careful: string; free: string }> {
  const api = new Docent({ baseUrl: url, apiKey })
  return { careful: (await addDesk(api, ['create_file'])).id, free: (await addDesk(api, [])).id }
}

async function ask(page: Page, url: string, agentId: string, question: string): Promise<void> {
  await page.goto(`${url}/chat/${agentId}`)
  await page.getByLabel('Your question to Print desk').fill(question)
  await page.keyboard.press('Enter')
}

/** Takes pictures of a review, of an answer with all kinds of Markdown, of made files, and of a shortcut. */
export async function shootChats(
  page: Page,
  url: string,
  { careful, free }: { careful: string; free: string },
  shoot: (name: string) => Promise<void>,
): Promise<void> {
  await ask(page, url, careful, 'Write the letter')
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  await shoot('chat-review')
  await page.getByRole('button', { name: 'Change', exact: true }).click()
  await shoot('chat-review-change')
  await page.getByRole('button', { name: 'Approve with changes' }).click()
  await page.getByRole('list', { name: 'Files of this answer' }).waitFor()

  await ask(page, url, free, 'What about light?')
  await page.locator('math').nth(1).waitFor()
  await page.getByRole('button', { name: 'Good answer' }).waitFor()
  await shoot('chat-rich')

  await ask(page, url, free, 'Give me the numbers')
  await page.getByRole('button', { name: 'Good answer' }).waitFor()
  await page.getByRole('list', { name: 'Files of this answer' }).waitFor()
  await page.getByRole('list', { name: 'Steps' }).getByText('visitors.json').click()
  await page.getByRole('list', { name: 'Steps' }).getByText('412', { exact: true }).waitFor()
  await shoot('chat-tools')

  await page.goto(`${url}/chat/${free}`)
  await page.getByLabel('Your question to Print desk').fill('/li')
  await page.getByRole('option', { name: /Light check/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Light check' }).waitFor()
  await shoot('chat-shortcut')
  await page.keyboard.press('Escape')
}
