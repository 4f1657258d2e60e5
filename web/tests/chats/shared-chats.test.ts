import { expect, test } from 'vitest'
import { answer } from '../../../server/tests/support/models/model-server.ts'
import { startScripted } from '../support/demo/scripted.ts'
import { joined } from '../support/joined.ts'
import { signedIn } from '../support/signed-in.ts'

const app = startScripted()

const join = (name: string) => joined({ browser: app.browser, url: app.server.url, docent: app.docent }, name)

test('a chat is shared by a link, read by a colleague without a composer, and no more once that is stopped', async () => {
  app.script = () => answer('It turns every twelve seconds.')
  const { id: agent } = await app.docent.agents.create({ name: 'Keeper', visibility: 'public' })
  const mia = await join('Mia')
  const noa = await join('Noa')
  const { page } = mia
  await page.goto(`${app.server.url}/chat/${agent}`)
  const composer = page.getByRole('textbox').first()
  await composer.fill('How often does the lamp turn?')
  await composer.press('Enter')
  await page.getByText('It turns every twelve seconds.').first().waitFor()

  await page
    .getByRole('complementary')
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Share…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share the chat' })
  await dialog.getByRole('button', { name: 'Make a link' }).click()
  const link = await dialog.getByText(`${app.server.url}/shared-chats/`).textContent()
  await mia.expectAccessible()
  await dialog.getByLabel('Keep it up to date').check()
  await dialog.getByRole('button', { name: 'Show the chat as it is now' }).waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')

  await noa.page.goto(link!)
  await noa.page.getByText('Mia shared this chat with the workspace: you can read it. Agent: Keeper.').waitFor()
  await noa.page.getByRole('main').getByText('It turns every twelve seconds.').waitFor()
  expect(await noa.page.getByRole('main').getByRole('textbox').count()).toBe(0)
  await noa.expectAccessible()

  await page.goto(`${app.server.url}/chats?show=shared`)
  const shares = page.getByRole('list', { name: 'Shared chats' })
  await shares.getByRole('listitem').waitFor()
  await mia.expectAccessible()
  await shares.getByRole('button', { name: 'Stop sharing' }).click()
  await page.getByText('You share no chat').waitFor()
  mia.expectNoTrouble()
  await noa.page.reload()
  await noa.page.getByRole('heading', { name: 'This chat is not shared' }).waitFor()
})

test('who is signed in with a key is told that people share chats, before anything fails', async () => {
  app.script = () => answer('It turns every twelve seconds.')
  const { id: agent } = await app.docent.agents.create({ name: 'Watch', visibility: 'public' })
  const chat = await app.docent.chats.create(agent, { title: 'The lamp', chat_type: 'interact' })
  const { page, expectAccessible } = await signedIn(app.browser, app.server, { path: `/chat/${agent}/${chat.id}` })
  await page
    .getByRole('complementary')
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Share…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share the chat' })
  await dialog.getByText('Only people share chats: you are signed in with a key.').waitFor()
  expect(await dialog.getByRole('button', { name: 'Make a link' }).count()).toBe(0)
  await expectAccessible()
})
