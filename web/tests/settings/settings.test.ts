import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Docent } from '@docent/sdk'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { type RunningDocent, startDocent } from '../support/docent.ts'
import { startProxy } from '../support/network/proxy.ts'
import { signedIn } from '../support/signed-in.ts'

let docent: RunningDocent
let browser: Browser
let owner: Docent
let workspaceId: string

beforeAll(async () => {
  docent = await startDocent({
    DOCENT_SAMPLE: 'false',
    DOCENT_OUTBOUND_ALLOW: '127.0.0.1/32',
    DOCENT_WEBHOOK_RETRY_DELAYS: '3600',
  })
  browser = await launchBrowser()
  owner = new Docent({ baseUrl: docent.url, apiKey: docent.apiKey })
  workspaceId = (await owner.me()).workspace.id
}, 180_000)

afterAll(async () => {
  await browser?.close()
  await docent?.stop()
})

test('a key is made, shown once, narrowed, used, rotated and revoked', async () => {
  const { page, expectNoTrouble, expectAccessible } = await signedIn(browser, docent, { path: '/settings/keys' })
  await page.getByRole('heading', { name: 'API keys' }).waitFor()
  await expectAccessible()
  await page.getByRole('button', { name: 'New key' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name').fill('Front desk')
  await form.getByLabel('Expires').selectOption({ label: 'In 30 days' })
  await form.getByRole('checkbox', { name: 'Agents', exact: true }).check()
  await form.getByLabel('A rate limit of its own').check()
  await form.getByLabel('Calls').selectOption({ label: 'Chosen ones' })
  expect(await form.getByRole('button', { name: 'Create key' }).isDisabled()).toBe(true)
  await form.getByText('Choose at least one operation').waitFor()
  await form.locator('summary').filter({ hasText: 'Agents' }).click()
  await form.getByRole('checkbox', { name: 'List agents, newest first' }).check()
  await form.locator('summary').filter({ hasText: 'Me' }).first().click()
  await form.getByRole('checkbox', { name: "Show the key's organization, workspace and permissions" }).check()
  await expectAccessible()
  await form.getByRole('button', { name: 'Create key' }).click()
  const made = page.getByRole('dialog', { name: '“Front desk” is ready' })
  const key = (await made.getByRole('region', { name: 'The new API key' }).textContent())!.trim()
  await expectAccessible()
  await made.getByRole('button', { name: 'I have saved it' }).click()
  expect(await page.content()).not.toContain(key)

  const desk = new Docent({ baseUrl: docent.url, apiKey: key })
  const { key: itself } = await desk.me()
  expect(itself).toMatchObject({ role: 'member', permissions: ['manage_agents'] })
  expect(itself.scopes?.operations?.toSorted()).toEqual(['agents.list', 'me.get'])
  await expect(desk.knowledgeBases.list()).rejects.toMatchObject({ code: 'FORBIDDEN' })

  const row = page.getByRole('row').filter({ hasText: 'Front desk' })
  await row.getByText('only 2 operations').and(page.locator(':visible')).waitFor()
  await row.getByRole('button', { name: 'New secret for Front desk' }).click()
  const rotating = page.getByRole('dialog', { name: 'New secret for “Front desk”' })
  await rotating.getByLabel('The secret that is in use now').selectOption({ label: 'Ends at once' })
  await expectAccessible()
  await rotating.getByRole('button', { name: 'Make a new secret' }).click()
  const fresh = (await made.getByRole('region', { name: 'The new API key' }).textContent())!.trim()
  await made.getByRole('button', { name: 'I have saved it' }).click()
  const renewed = new Docent({ baseUrl: docent.url, apiKey: fresh })
  expect((await renewed.me()).key.id).toBe(itself.id)
  const [newest] = (await owner.apiKeys.list(workspaceId)).api_keys
  expect(newest).toMatchObject({ id: itself.id, rate_limit: { per_second: 5, burst: 20 } })
  await expect(desk.me()).rejects.toMatchObject({ status: 401 })

  await row.getByRole('button', { name: 'Revoke Front desk' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await row.waitFor({ state: 'detached' })
  await expect(renewed.me()).rejects.toMatchObject({ status: 401 })
  expectNoTrouble()
})

test('a key speaks for certain people, and websites may call with the tokens of such people', async () => {
  const { page, expectNoTrouble, expectAccessible } = await signedIn(browser, docent, { path: '/settings/keys' })
  await page.getByRole('button', { name: 'New key' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name').fill('Kiosk')
  await form.getByLabel('Only certain people').check()
  await form.getByText('Name at least one person').waitFor()
  await form.getByLabel('E-mails').fill('ines@example.com')
  await form.getByLabel('E-mails').press('Enter')
  await expectAccessible()
  await form.getByRole('button', { name: 'Create key' }).click()
  const made = page.getByRole('dialog', { name: '“Kiosk” is ready' })
  const apiKey = (await made.getByRole('region', { name: 'The new API key' }).textContent())!.trim()
  await made.getByRole('button', { name: 'I have saved it' }).click()
  const kiosk = page.getByRole('row').filter({ hasText: 'Kiosk' })
  await kiosk.getByText('only for 1 end user').and(page.locator(':visible')).waitFor()
  const { key } = await new Docent({ baseUrl: docent.url, apiKey }).me()
  expect(key.scopes?.virtual_user_ids).toHaveLength(1)

  const origins = page.getByLabel('Origins')
  const save = page.getByRole('button', { name: 'Save', exact: true })
  expect(await save.isDisabled()).toBe(true)
  await origins.fill('http://shop.example.com')
  await origins.press('Enter')
  const refusal = page.getByText('Write an origin with https, such as https://app.example.com')
  await refusal.waitFor()
  await expectAccessible()
  await origins.fill('https://shop.example.com')
  await refusal.waitFor({ state: 'detached' })
  // Also where Enter does not add it.
  await origins.fill('https://*.example.com')
  await save.click()
  await refusal.waitFor()
  await origins.fill('https://shop.example.com')
  await origins.press('Enter')
  await save.click()
  await page.getByText('Saved. It counts within three seconds.').waitFor()
  await expectAccessible()
  const allowed = await fetch(`${docent.url}/v1/agents/${'0'.repeat(24)}/chats`, {
    method: 'OPTIONS',
    headers: { origin: 'https://shop.example.com', 'access-control-request-method': 'GET' },
  })
  expect(allowed.headers.get('access-control-allow-origin')).toBe('https://shop.example.com')
  expectNoTrouble()
})

test('the last key of an owner cannot be revoked, and the dialog says why', async () => {
  const { page } = await signedIn(browser, docent, { path: '/settings/keys' })
  await page.getByRole('button', { name: 'Revoke Owner' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('You are signed in with this key').waitFor()
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await dialog.getByText('create another one before you revoke it').waitFor()
})

test('a member sees only what its key may', async () => {
  const { key } = await owner.apiKeys.create(workspaceId, { name: 'Reader' })
  const { page, expectAccessible } = await signedIn(browser, docent, { key, path: '/settings' })
  const tabs = page.getByRole('navigation', { name: 'Settings' }).getByRole('link')
  await tabs.first().waitFor()
  expect(await tabs.allTextContents()).toEqual(['Integrations', 'Streaming test'])
  await page.goto(`${docent.url}/settings/webhooks`)
  await page.getByRole('heading', { name: 'Not allowed with this key' }).waitFor()
  await expectAccessible()
  await page.goto(`${docent.url}/settings/keys`)
  await page.getByText('manage_keys').waitFor()
})

test('webhooks: the secret is rotated, a delivery that failed is looked at and sent again', async () => {
  let isWell = false
  const receiver = createServer((request, response) => {
    request.resume()
    response.writeHead(isWell ? 200 : 503).end(isWell ? 'thanks' : 'the till is being repaired')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void receiver.close())
  await once(receiver, 'listening')
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/answers`
  const agent = await owner.agents.create({ name: 'Desk', model: 'builtin/extractive' })
  const chat = await owner.chats.create(agent.id)
  await owner.chats.queryAsync(agent.id, chat.id, { query: 'When do you open?', webhook_url: url })

  const { page, expectNoTrouble, expectAccessible } = await signedIn(browser, docent, { path: '/settings/webhooks' })
  await page.getByRole('heading', { name: 'Signing secret' }).waitFor()
  const { secret: before } = await owner.webhooks.secret.get(workspaceId)
  expect(await page.content()).not.toContain(before)
  await page.getByRole('button', { name: 'Show' }).click()
  await page.getByText(before).waitFor()
  await page.getByRole('button', { name: 'Rotate' }).click()
  await page.getByRole('dialog').getByText('two signatures').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click()
  await page.getByText('signs along until').waitFor()
  const { secret: after } = await owner.webhooks.secret.get(workspaceId)
  expect(after).not.toBe(before)
  await page.getByText(after).waitFor()

  await page.getByText('The receiver answered 503').waitFor()
  await expectAccessible()
  await page.getByRole('button', { name: url }).click()
  const delivery = page.getByRole('dialog', { name: 'Delivery' })
  await delivery.getByText('the till is being repaired').waitFor()
  await expectAccessible()
  isWell = true
  await delivery.getByRole('button', { name: 'Send again now' }).click()
  await delivery.getByText('thanks').waitFor()
  await delivery.getByText('2. Status 200').waitFor()
  await page.keyboard.press('Escape')
  await page.getByLabel('Status').selectOption({ label: 'Given up' })
  await page.getByRole('heading', { name: 'None of these' }).waitFor()
  await page.getByLabel('Status').selectOption({ label: 'Delivered' })
  await page.getByRole('row').filter({ hasText: url }).getByText('Delivered').waitFor()
  expectNoTrouble()
})

test('a webhook endpoint is added, its secret shown once, tested, looked at, switched off and deleted', async () => {
  const receiver = createServer((request, response) => {
    request.resume()
    response.end('thanks')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void receiver.close())
  await once(receiver, 'listening')
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/events`
  const { page, expectNoTrouble, expectAccessible } = await signedIn(browser, docent, { path: '/settings/webhooks' })
  await page.getByRole('heading', { name: 'No endpoint yet' }).waitFor()
  await page.getByRole('button', { name: 'New endpoint' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('URL').fill('http://10.0.0.1/')
  expect(await dialog.getByRole('button', { name: 'Add' }).isDisabled()).toBe(true)
  await dialog.getByRole('checkbox', { name: 'A file cannot be indexed' }).check()
  await dialog.getByRole('button', { name: 'Add' }).click()
  await dialog.getByRole('alert').waitFor()
  await expectAccessible()
  await dialog.getByLabel('URL').fill(url)
  await dialog.getByRole('button', { name: 'Add' }).click()
  await dialog.getByText('it is not shown again').waitFor()
  await dialog.getByText('whsec_').waitFor()
  await dialog.getByRole('button', { name: 'I have saved it' }).click()

  await page.getByRole('button', { name: url, exact: true }).click()
  await dialog.getByRole('button', { name: 'Send a test event' }).click()
  await dialog.getByRole('row').filter({ hasText: 'Test' }).getByText('Delivered').waitFor()
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Test', exact: true }).click()
  const event = page.getByRole('dialog', { name: 'Test', exact: true })
  await event.getByText('webhook.test').waitFor()
  await event.getByText('thanks').waitFor()
  await expectAccessible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')

  // On a phone the table is no wider than the screen, and says which events are sent.
  await page.setViewportSize({ width: 375, height: 740 })
  const table = page.getByRole('region', { name: 'Endpoints' })
  await table.getByText('A file cannot be indexed').and(table.locator(':visible')).waitFor()
  expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  await page.getByRole('button', { name: `Actions for ${url}` }).click()
  await expectAccessible()
  await page.getByRole('menuitem', { name: 'Switch off' }).click()
  await dialog.getByRole('button', { name: 'Switch off' }).click()
  await page.getByRole('row').getByText('Off', { exact: true }).waitFor()
  await page.getByRole('button', { name: `Actions for ${url}` }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: 'No endpoint yet' }).waitFor()
  expectNoTrouble()
})

test('the streaming test tells a free way from one that holds back, or cuts', async () => {
  const collecting = await startProxy(docent.url, 'collects')
  onTestFinished(collecting.close)
  const cutting = await startProxy(docent.url, 'cuts')
  onTestFinished(cutting.close)
  const run = async (url: string, verdict: string) => {
    const server = { url, apiKey: docent.apiKey }
    const { page, expectAccessible } = await signedIn(browser, server, { path: '/settings/streaming' })
    // Awaited before it can disappear again.
    const begun = page.getByRole('progressbar', { name: 'Test' }).waitFor()
    await page.getByRole('button', { name: 'Test' }).click()
    await begun
    await page.getByRole('status').getByText(verdict, { exact: true }).waitFor()
    await expectAccessible()
    return page
  }
  const [good, heldBack, cut] = await Promise.all([
    run(docent.url, 'Streams arrive as they are sent'),
    run(collecting.url, 'Something delays streams'),
    run(cutting.url, 'Something cuts streams off'),
  ])
  expect(await good.getByText('Which proxy is in between?').count()).toBe(0)
  for (const page of [heldBack, cut]) {
    await page.getByText('came through nginx').waitFor()
    await page.getByText('proxy_buffering off').waitFor()
    await page.getByLabel('Which proxy is in between?').selectOption('Caddy')
    await page.getByText('flush_interval -1', { exact: false }).first().waitFor()
  }
})

test('a quota is set, used up, changed and deleted', async () => {
  const { id: agentId } = await owner.agents.create({ name: 'Counter' })
  const { id: keyId, key } = await owner.apiKeys.create(workspaceId, { name: 'Till' })
  const { page, expectNoTrouble, expectAccessible } = await signedIn(browser, docent, { path: '/settings/quotas' })
  await page.getByRole('heading', { name: 'Nothing is limited' }).waitFor()
  await expectAccessible()
  await page.getByRole('button', { name: 'New quota' }).click()
  const form = page.getByRole('dialog')
  await expectAccessible()
  await form.getByRole('button', { name: 'Set the quota' }).click()
  await form.getByText('Give at least one limit.').waitFor()
  await form.getByLabel('For').selectOption('One API key')
  await form.getByLabel('API key').selectOption({ value: keyId })
  await form.getByLabel('Messages').fill('2')
  await form.getByLabel('Cost in dollars').fill('0.5')
  await form.getByRole('button', { name: 'Set the quota' }).click()
  await form.waitFor({ state: 'detached' })
  const row = page.getByRole('row').filter({ hasText: 'Till' })
  await row.getByText('Messages: 0 of 2').waitFor()
  await row.getByText('$0.00 of $0.50').waitFor()

  const till = new Docent({ baseUrl: docent.url, apiKey: key })
  const chat = await till.chats.create(agentId, {})
  for (const query of ['One?', 'Two?']) await till.chats.query(agentId, chat.id, { query })
  await expect(till.chats.query(agentId, chat.id, { query: 'Three?' })).rejects.toMatchObject({ status: 429 })
  await page.reload()
  await row.getByText('Messages: 2 of 2: used up').waitFor()
  await expectAccessible()
  // The refused visitor reads the reason, and when it ends.
  const refused = await signedIn(browser, { url: docent.url, apiKey: key }, { path: `/chat/${agentId}` })
  await refused.page.getByLabel('Your question to Counter').fill('Four?')
  await refused.page.keyboard.press('Enter')
  const why = refused.page.getByRole('alert').getByText('quota of this API key is used up')
  await why.waitFor()
  expect(await why.textContent()).toMatch(
    /begins anew at [A-Z][a-z]{2} \d+, \d{4}, .*M\. Wait until then, or ask an admin/,
  )

  await row.getByRole('button', { name: 'Change the quota of Till' }).click()
  expect(await form.getByLabel('Messages').inputValue()).toBe('2')
  await form.getByLabel('Messages').fill('5')
  await form.getByLabel('Cost in dollars').fill('')
  await form.getByRole('button', { name: 'Save' }).click()
  await row.getByText('Messages: 2 of 5').waitFor()
  expect((await owner.quotas.list(workspaceId)).quotas).toMatchObject([
    { subject: { type: 'api_key', id: keyId }, period: 'day', max_messages: 5, max_tokens: null, max_cost_usd: null },
  ])

  await page.getByRole('button', { name: 'New quota' }).click()
  await form.getByLabel('For').selectOption('One person')
  await form.getByLabel('E-mail').fill('ada@example.com')
  await form.getByLabel('In a').selectOption('Month')
  await form.getByLabel('Tokens').fill('1000')
  await form.getByRole('button', { name: 'Set the quota' }).click()
  await page.getByRole('alert').getByText('There is no such person').waitFor()
  await owner.virtualUsers.create(workspaceId, { email: 'ada@example.com', name: 'Ada' })
  await form.getByRole('button', { name: 'Set the quota' }).click()
  await page.getByRole('row').filter({ hasText: 'Ada' }).getByText('Tokens: 0 of 1,000').waitFor()
  await page.getByRole('button', { name: 'Delete the quota of Ada' }).click()
  await form.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('row').filter({ hasText: 'Ada' }).waitFor({ state: 'detached' })
  refused.expectNoTrouble()
  expectNoTrouble()
})
