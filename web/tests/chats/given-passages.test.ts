import { expect, test } from 'vitest'
import { driveClient } from '../support/drive.ts'
import { signedIn } from '../support/signed-in.ts'
import { startUi } from '../support/ui.ts'

const ui = startUi()

test('a thread shows the passages that an answer was given, and which of them it cites', async () => {
  const drive = driveClient(ui.docent)
  const folder = await drive.newFolder('Harbour')
  // Three sentences are quoted at most, and five passages are given.
  const others = ['Boats', 'Dogs', 'Paint', 'Rain'].map((title) => [`${title}.md`, `${title} at the lighthouse.\n`])
  await drive.addFiles(folder, { 'Hours.md': 'The lighthouse opens at nine.\n', ...Object.fromEntries(others) })
  const { agents, chats } = drive.docent
  const agent = await agents.create({ name: 'Guide', model: 'builtin/extractive', knowledge_base_ids: [folder] })
  const chat = await chats.create(agent.id, {})
  const answer = await chats.query(agent.id, chat.id, { query: 'When does the lighthouse open?' })

  const path = `/agents/${agent.id}/threads/${chat.id}`
  const { page, expectAccessible, expectNoTrouble } = await signedIn(ui.browser, ui.docent, { path })
  await page.getByText('Run details').click()
  await page.getByRole('heading', { name: 'Passages that it was given' }).waitFor()
  await page.getByText('“When does the lighthouse open?”').waitFor()
  const { searches } = await chats.messages.retrieval(agent.id, chat.id, answer.message_id)
  const given = searches.flatMap(({ passages }) => passages)
  expect(given[0]).toMatchObject({ title: 'Hours.md', is_cited: true })
  expect(given.filter(({ is_cited }) => !is_cited).length).toBeGreaterThan(0)
  for (const { title, text, is_cited } of given) {
    const passage = page.locator('details', { hasText: title }).last()
    expect(await passage.getByText('cited').count(), title).toBe(is_cited ? 1 : 0)
    await passage.getByText(title).click()
    await passage.getByText(text).waitFor()
  }
  await expectAccessible()
  expectNoTrouble()
})
