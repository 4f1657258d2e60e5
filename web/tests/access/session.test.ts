import { Docent } from '@docent/sdk'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { type RunningDocent, startDocent } from '../support/docent.ts'
import { layLine } from '../support/network/line.ts'
import { enterKey, signedIn, signedInByHand } from '../support/signed-in.ts'
import { openWindow, visit } from '../support/visitor.ts'

let docent: RunningDocent
let browser: Browser
let owner: Docent
let workspaceId: string

beforeAll(async () => {
  docent = await startDocent({ DOCENT_SAMPLE: 'false' })
  browser = await launchBrowser()
  owner = new Docent({ baseUrl: docent.url, apiKey: docent.apiKey })
  workspaceId = (await owner.me()).workspace.id
}, 180_000)

afterAll(async () => {
  await browser?.close()
  await docent?.stop()
})

const freshKey = () => owner.apiKeys.create(workspaceId, { name: 'Front desk', role: 'admin' })

test('nothing that a script can read holds a secret, and the session outlives the page', async () => {
  const { page, expectNoTrouble } = await signedInByHand(browser, docent, { path: '/drive' })
  await page.getByRole('heading', { name: 'Drive' }).waitFor()
  const readable = () =>
    page.evaluate(() => JSON.stringify([document.cookie, { ...sessionStorage }, { ...localStorage }]))
  expect(await readable()).toBe('["",{},{}]')
  const [cookie] = await page.context().cookies()
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' })
  expect(docent.apiKey).not.toContain(cookie!.value)
  await page.reload()
  await page.getByRole('heading', { name: 'Drive' }).waitFor()
  const another = await page.context().newPage()
  await another.goto(`${docent.url}/agents`)
  await another.getByRole('heading', { name: 'Agents', level: 1 }).waitFor()
  expectNoTrouble()
})

test('a page of another origin cannot use the session', async () => {
  const { page } = await signedInByHand(browser, docent)
  const elsewhere = docent.url.replace('127.0.0.1', 'localhost')
  const stranger = await page.context().newPage()
  await stranger.goto(`${elsewhere}/openapi.json`)
  const outcome = await stranger.evaluate(async (url) => {
    const send = (init: RequestInit) =>
      fetch(`${url}/v1/knowledge-bases`, { credentials: 'include', ...init }).then(
        () => 'read',
        () => 'not read',
      )
    const form = await fetch(`${url}/v1/session`, { method: 'DELETE', mode: 'no-cors', credentials: 'include' }).catch(
      () => null,
    )
    return [await send({}), await send({ headers: { 'x-docent-session': '1' } }), form?.type ?? 'refused']
  }, docent.url)
  expect(outcome).toEqual(['not read', 'not read', 'refused'])
  await page.reload()
  await page.getByRole('navigation', { name: 'Sections' }).waitFor()
})

test('signing out shows the door in every tab', async () => {
  const { page, expectNoTrouble } = await signedInByHand(browser, docent, { path: '/drive' })
  const another = await page.context().newPage()
  await another.goto(`${docent.url}/agents`)
  await another.getByRole('heading', { name: 'Agents', level: 1 }).waitFor()
  await page.getByRole('button', { name: /My organization/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByLabel('API key').waitFor()
  await another.getByLabel('API key').waitFor()
  expect(await page.context().cookies()).toEqual([])
  // Signing in opens every tab at the page where the person was.
  await page.getByLabel('API key').fill(docent.apiKey)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Drive' }).waitFor()
  await another.getByRole('heading', { name: 'Agents', level: 1 }).waitFor()
  expectNoTrouble()
})

test('a key that is revoked ends the session with a reason, and another leads back to the same place', async () => {
  const folder = await owner.knowledgeBases.create({ knowledge_base_name: 'Attic' })
  const { key, id } = await freshKey()
  const { page, expectNoTrouble, expectAccessible } = await signedInByHand(browser, docent, {
    key,
    path: `/drive/${folder.id}`,
  })
  await page.getByRole('main').getByText('Attic').first().waitFor()
  await owner.apiKeys.revoke(workspaceId, id)
  await page.getByRole('link', { name: 'Agents' }).click()
  const because = page.getByRole('alert').getByText('This API key was revoked. Sign in with another one')
  await because.waitFor()
  // The first response deletes the cookie: later requests get no reason, and the first reason stays.
  const asked = page.waitForResponse('**/v1/session')
  await page.evaluate(() => new BroadcastChannel('docent.session').postMessage('changed'))
  expect(await (await asked).json()).toMatchObject({ data: { state: 'signed_out', reason: null } })
  await page.evaluate(() => new Promise(requestAnimationFrame))
  expect(await because.count()).toBe(1)
  await expectAccessible()
  await page.goBack()
  await page.getByLabel('API key').fill(docent.apiKey)
  await page.keyboard.press('Enter')
  await page.getByRole('main').getByText('Attic').first().waitFor()
  expectNoTrouble()
})

test('without a line there is a way to try again, and nobody is signed out for it', async () => {
  const line = await layLine(docent.url)
  onTestFinished(line.close)
  const { page, leave, expectAccessible } = await visit(browser, line.url)
  onTestFinished(leave)
  await enterKey(page, docent.apiKey)
  await page.getByRole('navigation', { name: 'Sections' }).waitFor()
  await page.route('**/v1/session', (route) => route.abort())
  await page.reload()
  await page.getByRole('heading', { name: 'No connection' }).waitFor()
  await expectAccessible()
  await page.unroute('**/v1/session')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('navigation', { name: 'Sections' }).waitFor()
})

test('until the script has come there is something to see', async () => {
  const { page, leave } = await openWindow(browser, docent.url)
  onTestFinished(leave)
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(/\/assets\/index-.*\.js$/, async (route) => {
    await held
    await route.continue()
  })
  await page.goto(`${docent.url}/drive`, { waitUntil: 'commit' })
  const opening = page.locator('#opening')
  await opening.waitFor()
  release()
  await page.getByLabel('Password').waitFor()
  expect(await opening.isVisible()).toBe(false)
})

test('what is not here says so, and leads to what is', async () => {
  const { page, expectAccessible, expectNoTrouble } = await signedIn(browser, docent)
  const { id } = await owner.agents.create({ name: 'Keeper' })
  const none = id.replace(/.{4}$/, '0000')
  const missing: [path: string, what: string, way: string, to: string][] = [
    [`/agents/${none}`, 'agent', 'To the agents', '/agents'],
    [`/agents/${none}/threads`, 'agent', 'To the agents', '/agents'],
    [`/chat/${none}`, 'agent', 'To the agents', '/agents'],
    [`/chat/${none}/${none}`, 'agent', 'To the agents', '/agents'],
    [`/chat/${id}/${none}`, 'chat', 'New chat', `/chat/${id}`],
    [`/agents/${id}/threads/${none}`, 'thread', 'All threads of Keeper', `/agents/${id}/threads`],
    [`/people/${none}`, 'person', 'All people', '/people'],
    ['/people/nobody', 'person', 'All people', '/people'],
  ]
  for (const [path, what, way, to] of missing) {
    await page.goto(docent.url + path)
    const main = page.getByRole('main')
    await main.getByRole('heading', { name: `This ${what} is not here` }).waitFor()
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    await expectAccessible()
    await main.getByRole('link', { name: way }).click()
    await page.waitForURL((url) => url.pathname === to)
  }
  expectNoTrouble()
})

test('a draft is not shown to whoever signs in next, also if the session ended while the page was closed', async () => {
  const { id } = await owner.agents.create({ name: 'Archivist', visibility: 'public' })
  const { key } = await freshKey()
  const { page } = await signedIn(browser, docent, { path: `/chat/${id}` })
  const box = page.getByLabel('Your question to Archivist')
  await box.fill('Between us')
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'us.txt', mimeType: 'text/plain', buffer: Buffer.from('Us.') })
  const attached = page.getByRole('list', { name: 'Files for this question' })
  await attached.getByText('us.txt').waitFor()
  await attached.getByRole('progressbar').waitFor({ state: 'detached' })
  await page.reload()
  expect(await box.inputValue()).toBe('Between us')
  await attached.getByText('us.txt').waitFor()
  // While another page is open, too.
  await page.getByRole('link', { name: 'Agents' }).click()
  await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor()
  await page.goBack()
  await attached.getByText('us.txt').waitFor()
  await page.goto('about:blank')
  await page.context().clearCookies()
  await page.goto(`${docent.url}/chat/${id}`)
  await enterKey(page, key)
  await box.waitFor()
  expect(await box.inputValue()).toBe('')
  expect(await attached.count()).toBe(0)
})
