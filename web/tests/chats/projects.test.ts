import { expect, test } from 'vitest'
import { answer } from '../../../server/tests/support/models/model-server.ts'
import { startScripted } from '../support/demo/scripted.ts'
import { signedIn } from '../support/signed-in.ts'

const app = startScripted()

test('a project has files, instructions and chats in one place, and is shared and deleted', async () => {
  let prompt = ''
  app.script = ({ body }) => {
    prompt = body.messages[0].content
    if (body.messages.at(-1).role === 'tool') return answer('It lifts nine tonnes [1].')
    return answer({ toolCall: { name: 'search_knowledge', arguments: { query: 'harbour crane' } } })
  }
  await app.docent.agents.create({ name: 'Keeper' })
  const { page, expectAccessible, expectNoTrouble } = await signedIn(app.browser, app.server, { path: '/projects' })
  await page.getByText('A project keeps what belongs to one piece of work together').waitFor()
  await expectAccessible()
  await page.getByRole('button', { name: 'New project' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Harbour')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'Harbour', level: 1 }).waitFor()
  await page.getByText('Drop files here: answers come from them.').waitFor()
  await page.getByText('Ask above to begin the first chat').waitFor()

  const instructions = page.getByRole('textbox', { name: 'Instructions' })
  await instructions.fill('Answer like a docker.')
  // Leaving asks before the typed text is lost.
  await page.getByRole('link', { name: 'Drive', exact: true }).click()
  const leaving = page.getByRole('dialog', { name: 'Leave without saving?' })
  await leaving.getByText('The instructions that you typed would be lost.').waitFor()
  await leaving.getByRole('button', { name: 'Cancel' }).click()
  expect(await instructions.inputValue()).toBe('Answer like a docker.')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'detached' })
  const [picker] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Add files' }).click(),
  ])
  await picker.setFiles({
    name: 'crane.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('The harbour crane lifts nine tonnes.'),
  })
  const files = page.getByRole('list', { name: 'Files', exact: true })
  await files.getByRole('listitem').filter({ hasText: 'crane.txt' }).getByText('Ready').waitFor()
  await expectAccessible()

  await page.getByLabel('Question').fill('What does the crane lift?')
  await page.keyboard.press('Enter')
  await page.getByText('It lifts nine tonnes').first().waitFor()
  expect(prompt).toContain('# From the project "Harbour"\n\nAnswer like a docker.')

  await page.getByRole('link', { name: 'Projects' }).click()
  await page.getByRole('link', { name: 'Harbour' }).click()
  const chats = page.getByRole('list', { name: 'Chats', exact: true })
  await chats.getByRole('link', { name: 'What does the crane lift?' }).waitFor()

  // Out of the project by the menu of the chat, and in again.
  const move = async (to: string) => {
    await page.getByRole('button', { name: 'Actions for What does the crane lift?' }).last().click()
    await page.getByRole('menuitem', { name: 'Move to project' }).click()
    const dialog = page.getByRole('dialog', { name: 'Move the chat to a project' })
    await dialog.getByLabel('Project').selectOption(to)
    await expectAccessible()
    await dialog.getByRole('button', { name: 'Move' }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  const chatPath = (await chats.getByRole('link').getAttribute('href'))!
  await move('No project')
  await page.getByText('Ask above to begin the first chat').waitFor()
  await page.goto(app.server.url + chatPath)
  await page.getByText('It lifts nine tonnes').first().waitFor()
  await move('Harbour')
  // The chat says where it is, and so do the places to go to.
  await page.getByRole('main').getByRole('link', { name: 'Harbour' }).waitFor()
  await expectAccessible()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('harb')
  await page.getByRole('group', { name: 'Projects' }).getByRole('option', { name: 'Harbour' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('main').getByRole('link', { name: 'Harbour' }).click()
  await chats.getByRole('link', { name: 'What does the crane lift?' }).waitFor()

  await page.getByRole('button', { name: 'Share with people' }).click()
  const sharing = page.getByRole('dialog', { name: 'Who can see “Harbour”' })
  await sharing.getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('button', { name: 'Actions for Harbour' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const deletion = page.getByRole('dialog', { name: 'Delete “Harbour”?' })
  await deletion.getByLabel('Delete its folder with all files, too').check()
  await expectAccessible()
  await deletion.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No projects yet').waitFor()
  expect((await app.docent.knowledgeBases.list()).org_knowledge_bases).toEqual([])
  expectNoTrouble()
})

test('a project whose folder cannot be called like it tells what the folder is called', async () => {
  await app.docent.knowledgeBases.create({ knowledge_base_name: 'Quay' })
  const { page, expectNoTrouble } = await signedIn(app.browser, app.server, { path: '/projects' })
  for (const [name, folder] of [
    ['Quay', 'Quay 2'],
    ['Slipway', null],
  ] as const) {
    await page.goto(`${app.server.url}/projects`)
    await page.getByRole('button', { name: 'New project' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill(name)
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    const told = page.getByText('A folder is called')
    if (folder) await told.getByText(`that of the project is called “${folder}”`).waitFor()
    else expect(await told.count()).toBe(0)
  }
  expectNoTrouble()
})
