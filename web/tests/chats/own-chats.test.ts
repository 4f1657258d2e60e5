import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { answer } from '../../../server/tests/support/models/model-server.ts'
import { startTestReader } from '../../../server/tests/support/test-files/reader.ts'
import { startScripted } from '../support/demo/scripted.ts'
import { signedIn } from '../support/signed-in.ts'

const app = startScripted()
const { read } = startTestReader()

test('chats are pinned, archived and deleted, several at once, and pinned answers are listed', async () => {
  app.script = () => answer('It turns every twelve seconds.')
  const { id: agent } = await app.docent.agents.create({ name: 'Keeper' })
  const begin = async (title: string) => {
    const { id } = await app.docent.chats.create(agent, { title, chat_type: 'interact' })
    const { message_id } = await app.docent.chats.query(agent, id, { query: `${title}?` })
    return { id, message_id }
  }
  const kiln = await begin('The kiln')
  const lamp = await begin('The lamp')
  await begin('The boat')
  await begin('The net')
  await app.docent.chats.messages.update(agent, kiln.id, kiln.message_id, { is_pinned: true })

  const { page, expectAccessible, expectNoTrouble } = await signedIn(app.browser, app.server, {
    path: `/chat/${agent}/${lamp.id}`,
  })
  const sidebar = page.getByRole('complementary').getByRole('list', { name: 'Chats' })
  const titles = () => sidebar.getByRole('link').allTextContents()
  const choose = async (chat: string, item: string) => {
    await sidebar.getByRole('button', { name: `Actions for ${chat}` }).click()
    await page.getByRole('menuitem', { name: item, exact: true }).click()
  }
  await choose('The kiln', 'Pin')
  await sidebar.getByText('Pinned', { exact: true }).waitFor()
  expect(await titles()).toEqual(['The kiln', 'The net', 'The boat', 'The lamp'])
  await choose('The net', 'Archive')
  await sidebar.getByRole('link', { name: 'The net' }).waitFor({ state: 'detached' })
  await page.getByText('“The net” archived').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await sidebar.getByRole('link', { name: 'The net' }).waitFor()
  await choose('The net', 'Archive')
  await sidebar.getByRole('link', { name: 'The net' }).waitFor({ state: 'detached' })
  await expectAccessible()

  await page.getByRole('link', { name: 'All chats' }).click()
  const list = page.getByRole('main').getByRole('list', { name: 'Chats' })
  await list.getByRole('checkbox', { name: 'Choose The boat' }).check()
  await list.getByRole('checkbox', { name: 'Choose The lamp' }).check()
  await page.getByText('2 chosen').waitFor()
  await expectAccessible()
  await page.getByRole('toolbar').getByRole('button', { name: 'Archive' }).click()
  await list.getByRole('link', { name: 'The lamp' }).waitFor({ state: 'detached' })
  await list.getByRole('link', { name: 'The kiln' }).waitFor()

  await page.getByRole('link', { name: 'Archived', exact: true }).click()
  const archived = page.getByRole('main').getByRole('list', { name: 'Archived chats' })
  await archived.getByRole('link', { name: 'The net' }).waitFor()
  await page.getByRole('checkbox', { name: 'Choose all' }).check()
  await archived.getByRole('checkbox', { name: 'Choose The net' }).uncheck()
  await expectAccessible()
  await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click()
  await archived.getByRole('link', { name: 'The lamp' }).waitFor({ state: 'detached' })
  await page.getByText('2 chats deleted').waitFor()
  await archived.getByRole('button', { name: 'Actions for The net' }).click()
  await page.getByRole('menuitem', { name: 'Bring back' }).click()
  await page.getByText('Nothing is archived').waitFor()

  // The palette knows the lists, and a pinned answer opens at its place.
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('pinned')
  await page.getByRole('option', { name: 'Pinned answers' }).click()
  const pins = page.getByRole('main').getByRole('list', { name: 'Pinned answers' })
  await expectAccessible()
  await pins.getByRole('button', { name: 'The kiln?' }).click()
  await page.waitForURL(`**/chat/${agent}/${kiln.id}?message=${kiln.message_id}`)
  await page.getByText('It turns every twelve seconds.').first().waitFor()
  expectNoTrouble()
})

test('a chat in Arabic is saved as PDF', async () => {
  app.script = () =>
    answer('# الجواب\n\nيدور كل 12 ثانية (crew.md).\n\n- مرة\n\n| الاسم | العدد |\n|-|-|\n| مصباح | 1 |')
  const { id: agent } = await app.docent.agents.create({ name: 'Keeper' })
  const { id } = await app.docent.chats.create(agent, { title: 'المصباح', chat_type: 'interact' })
  await app.docent.chats.query(agent, id, { query: 'متى يدور المصباح؟' })
  const { page, expectNoTrouble } = await signedIn(app.browser, app.server, { path: `/chat/${agent}/${id}` })
  await page
    .locator('#page')
    .getByRole('button', { name: /^Actions for/ })
    .click()
  const saving = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Save as PDF' }).click()
  const saved = await saving
  expect(saved.suggestedFilename()).toBe('المصباح.pdf')
  const { title, chunks } = await read('chat.pdf', await readFile(await saved.path()))
  expect(title).toBe('المصباح')
  const text = chunks.map((chunk) => chunk.text).join('\n')
  for (const words of ['يدور', 'ثانية', 'crew.md', 'مرة', 'مصباح']) expect(text).toContain(words)
  expectNoTrouble()
})
