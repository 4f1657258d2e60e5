import { expect, onTestFinished, test } from 'vitest'
import { answer } from '../../../server/tests/support/models/model-server.ts'
import { startScripted } from '../support/demo/scripted.ts'
import { join as enter, joined } from '../support/joined.ts'
import { signedIn } from '../support/signed-in.ts'
import { openWindow } from '../support/visitor.ts'

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

test('the audit log names a chat that was shared for whoever shared it, and for nobody else', async () => {
  app.script = () => answer('It turns every twelve seconds.')
  const { id: agent } = await app.docent.agents.create({ name: 'Logger', visibility: 'public' })
  const zoe = await openWindow(app.browser, app.server.url)
  onTestFinished(zoe.leave)
  await enter(zoe, { url: app.server.url, docent: app.docent, role: 'admin' }, 'Zoe')
  const { page } = zoe
  await page.goto(`${app.server.url}/chat/${agent}`)
  const composer = page.getByRole('textbox').first()
  await composer.fill('Who trims the wick?')
  await composer.press('Enter')
  await page.getByRole('article').getByText('It turns every twelve seconds.').waitFor()
  const chatPath = new URL(page.url()).pathname
  await page
    .getByRole('main')
    .getByRole('button', { name: /^Actions for/ })
    .click()
  await page.getByRole('menuitem', { name: 'Share…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Make a link' }).click()
  await page.getByText(`${app.server.url}/shared-chats/`).waitFor()

  await page.goto(`${app.server.url}/settings/audit-log`)
  const shared = page.getByRole('row').filter({ hasText: 'Chat shared' }).first()
  await shared.getByRole('link', { name: 'Who trims the wick?' }).click()
  await page.waitForURL((url) => url.pathname === chatPath)
  const owner = await signedIn(app.browser, app.server, { path: '/settings/audit-log' })
  await owner.page.getByRole('row').filter({ hasText: 'Zoe' }).getByText('A chat', { exact: true }).waitFor()
  expect(await owner.page.getByText('Who trims the wick?').count()).toBe(0)
  owner.expectNoTrouble()
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
