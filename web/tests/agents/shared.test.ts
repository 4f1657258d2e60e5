import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Docent } from '@docent/sdk'
import { expect, onTestFinished, test } from 'vitest'
import { answer } from '../../../server/tests/support/models/model-server.ts'
import { startScripted } from '../support/demo/scripted.ts'
import { driveClient } from '../support/drive.ts'
import { enterKey } from '../support/signed-in.ts'
import { visit } from '../support/visitor.ts'

const app = startScripted()

async function share(link: Parameters<Docent['agents']['links']['create']>[1], agent: object = {}) {
  const { id } = await app.docent.agents.create({ name: 'Helper', visibility: 'public', ...agent })
  return { agentId: id, ...(await app.docent.agents.links.create(id, link)) }
}

async function open(path: string, options = {}) {
  const visitor = await visit(app.browser, app.server.url, { path, ...options })
  onTestFinished(visitor.leave)
  return visitor
}

/** Page of another site that embeds the chat, under the strictest policy possible. */
async function hostPage(token: string, more = '', scripts: Record<string, () => string> = {}): Promise<string> {
  const policy = `default-src 'none'; script-src 'self' ${app.server.url}; connect-src ${app.server.url}; frame-src ${app.server.url}; require-trusted-types-for 'script'`
  const page = `<!doctype html><html lang="en"><title>Shop</title><main><h1>Shop</h1></main>
${Object.keys(scripts)
  .map((path) => `<script src="${path}"></script>`)
  .join('')}
<script src="${app.server.url}/widget.js" data-docent="${token}"${more} async></script>`
  const host = http.createServer(({ url = '' }, response) => {
    const script = scripts[url]
    if (script) return void response.setHeader('content-type', 'text/javascript').end(script())
    response.setHeader('content-type', 'text/html').setHeader('content-security-policy', policy).end(page)
  })
  host.listen(0, '127.0.0.1')
  await once(host, 'listening')
  onTestFinished(() => {
    host.close()
    host.closeAllConnections()
  })
  return `http://localhost:${(host.address() as AddressInfo).port}`
}

test('whoever has the link chats, with sources, feedback and earlier chats, and without a key', async () => {
  const { newFolder, addFiles } = driveClient(app.server)
  const folder = await newFolder('Shop')
  await addFiles(folder, { 'hours.md': '# Hours\n\nThe shop is open from nine to six.' })
  const { token, agentId, id } = await share({ greeting: 'Ask about our shop!' }, { knowledge_base_ids: [folder] })
  app.script = ({ body }) =>
    body.messages.at(-1).role === 'tool'
      ? answer('From nine to six [1].')
      : answer({ toolCall: { name: 'search_knowledge', arguments: { query: 'open' } } })
  const { page, expectNoTrouble, expectAccessible } = await open(`/shared/${token}`)
  await page.getByText('Ask about our shop!').waitFor()
  await expectAccessible()
  await page.getByLabel('Your question to Helper').fill('When are you open?')
  await page.keyboard.press('Enter')
  const turn = page.getByRole('article')
  await turn.getByRole('button', { name: /^Source, 1/ }).click()
  const source = page.getByRole('dialog', { name: 'hours.md' })
  await source.getByText('open from nine to six').waitFor()
  expect(await source.getByRole('link').count()).toBe(0)
  await page.keyboard.press('Escape')
  await turn.getByRole('button', { name: 'Good answer' }).click()
  await expectAccessible()
  for (const name of ['Pin', 'More actions for this answer', 'Answer again'])
    expect(await turn.getByRole('button', { name }).count()).toBe(0)

  await page.getByRole('button', { name: 'New chat' }).click()
  await page.reload()
  await page.getByRole('button', { name: 'Earlier chats' }).click()
  await page.getByRole('menuitemradio', { name: 'When are you open?' }).click()
  await turn.getByText('From nine to six').waitFor()
  const { chats } = await app.docent.chats.list(agentId)
  expect(chats).toMatchObject([{ chat_type: 'standard', title: 'When are you open?' }])
  const { messages } = await app.docent.chats.messages.list(agentId, chats[0]!.id)
  expect(messages[0]!.feedback).toMatchObject({ rating: 'up' })
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('dcv')

  // Another visitor, in another window, has separate chats.
  const other = await open(`/shared/${token}`)
  await other.page.getByText('Ask about our shop!').waitFor()
  expect(await other.page.getByRole('button', { name: 'Earlier chats' }).count()).toBe(0)
  await app.docent.agents.links.delete(agentId, id)
  const late = await open(`/shared/${token}`)
  await late.page.getByText('This link does not work').waitFor()
  await late.expectAccessible()
  expectNoTrouble()
})

test('the agent may ask back, files go along, and answers are stopped', async () => {
  const { token } = await share({}, { tools: ['ask_person'] })
  const phone = { viewport: { width: 375, height: 720 }, colorScheme: 'dark' }
  const { page, expectNoTrouble, expectAccessible } = await open(`/shared/${token}`, phone)
  app.script = ({ body }) =>
    body.messages.at(-1).role === 'tool'
      ? answer(`So it is ${body.messages.at(-1).content}.`, { hang: true })
      : answer({ toolCall: { name: 'ask_person', arguments: { question: 'Which colour?', options: ['Red', 'Blue'] } } })
  const picking = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Attach files' }).click()
  await (await picking).setFiles({ name: 'wish.txt', mimeType: 'text/plain', buffer: Buffer.from('A chair') })
  await page.getByLabel('Your question to Helper').fill('Paint this')
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await page.getByText('Which colour?').first().waitFor()
  await expectAccessible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375)
  await page.getByRole('region', { name: 'Waits for you' }).getByText('Blue').click()
  await page.getByText('So it is').first().waitFor()
  await page.getByRole('button', { name: 'Stop the answer' }).first().click()
  await page.getByRole('article').getByText('This answer was stopped').waitFor()
  expectNoTrouble()
})

test('a link of the organization asks to sign in first', async () => {
  app.script = () => answer('Good day!')
  const { token } = await share({ audience: 'organization', greeting: 'Hello, colleague!' })
  const { page, expectAccessible } = await open(`/shared/${token}`)
  await page.getByText('This link is for people of its organization').waitFor()
  await expectAccessible()
  await enterKey(page, app.server.apiKey)
  await page.getByText('Hello, colleague!').waitFor()
  await page.getByLabel('Your question to Helper').fill('Hi')
  await page.keyboard.press('Enter')
  await page.getByText('Good day!').first().waitFor()
})

test('one line puts the chat on a website that the link names', async () => {
  app.script = () => answer('Welcome to the shop!')
  const { token, agentId, id } = await share({})
  const hostUrl = await hostPage(token)
  await app.docent.agents.links.update(agentId, id, { allowed_origins: [hostUrl] })
  const context = await app.browser.newContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const errors: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  await page.goto(hostUrl)
  const styles = () => page.evaluate(() => document.head.innerHTML + document.body.className)
  const before = await styles()
  await page.getByRole('button', { name: 'Open the chat' }).click()
  const frame = page.frameLocator('iframe[title=Chat]')
  await frame.getByLabel('Your question to Helper').fill('Hello')
  await page.keyboard.press('Enter')
  await frame.getByText('Welcome to the shop!').first().waitFor()
  expect(await styles()).toBe(before)

  // Escape closes it and returns to the button; the next page of the tab remembers that it was open.
  await page.keyboard.press('Escape')
  await expect
    .poll(() =>
      page.getByRole('button', { name: 'Open the chat' }).evaluate((button) => {
        return (button.getRootNode() as ShadowRoot).activeElement === button
      }),
    )
    .toBe(true)
  await page.keyboard.press('Enter')
  await frame.getByRole('button', { name: 'Close the chat' }).waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Close the chat' }).first().waitFor()
  await frame.getByRole('button', { name: 'Earlier chats' }).waitFor()
  await frame.getByRole('button', { name: 'Close the chat' }).click()
  await page.getByRole('button', { name: 'Open the chat' }).waitFor()
  expect(errors).toEqual([])
})

test('another website cannot show it, and says so', async () => {
  const { token } = await share({ allowed_origins: ['https://www.example.com'] })
  const hostUrl = await hostPage(token, ' data-patience="1500"')
  const context = await app.browser.newContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const blocked = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'))
  await page.goto(hostUrl)
  await page.getByRole('button', { name: 'Open the chat' }).click()
  await blocked
  await page.getByRole('alert').getByText('cannot be shown on this page').waitFor()
  expect(await page.getByRole('link', { name: 'Open it in a new tab' }).getAttribute('href')).toBe(
    `${app.server.url}/shared/${token}`,
  )
})

/** Token of a virtual user for an agent, as a website's own server asks for it. */
const userToken = async (email: string, agentId: string): Promise<string> =>
  (await app.docent.userTokens.create({ virtual_user_email: email, agent_ids: [agentId] })).token

async function shopPage(url: string) {
  const context = await app.browser.newContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  await page.goto(url)
  return { page, chat: page.frameLocator('iframe[title=Chat]') }
}

test('a website’s own users are known in the widget, each with their chats, and a token that ended is replaced', async () => {
  app.script = ({ body }) => answer(`You said: ${body.messages.at(-1).content}`)
  const { token, agentId, id } = await share({})
  let user = 'ada@example.com'
  const given: string[] = []
  const script = () =>
    `let next = ${JSON.stringify(given)}; function whoIsThere() { return Promise.resolve(next.shift()) }`
  const hostUrl = await hostPage(token, ' data-user-token-function="whoIsThere"', { '/user.js': script })
  await app.docent.agents.links.update(agentId, id, { allowed_origins: [hostUrl] })
  // The first has ended before it is used.
  const ended = (await userToken(user, agentId)).replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
  given.push(ended, await userToken(user, agentId))
  const { page, chat } = await shopPage(hostUrl)
  await page.getByRole('button', { name: 'Open the chat' }).click()
  await chat.getByLabel('Your question to Helper').fill('Hello from Ada')
  await page.keyboard.press('Enter')
  await chat.getByText('You said: Hello from Ada').first().waitFor()
  await chat.getByRole('button', { name: 'New chat' }).click()
  await chat.getByLabel('Your question to Helper').fill('Something for nobody else')
  const { chats } = await app.docent.chats.list(agentId, { virtual_user_email: user })
  expect(chats).toMatchObject([{ title: 'Hello from Ada' }])

  user = 'bob@example.com'
  given.splice(0, given.length, await userToken(user, agentId))
  await page.reload()
  await chat.getByLabel('Your question to Helper').waitFor()
  expect(await chat.getByLabel('Your question to Helper').inputValue()).toBe('')
  await chat.getByLabel('Your question to Helper').fill('Hello from Bob')
  expect(await chat.getByRole('button', { name: 'Earlier chats' }).count()).toBe(0)
  await page.keyboard.press('Enter')
  await chat.getByText('You said: Hello from Bob').first().waitFor()
  expect(await chat.getByText('Hello from Ada').count()).toBe(0)

  // Somebody else signs in without a reload of the page.
  const back = await userToken('ada@example.com', agentId)
  await page.evaluate((next) => {
    Object.assign(window, { whoIsThere: () => next })
    dispatchEvent(new Event('docent-user-changed'))
  }, back)
  await chat.getByRole('button', { name: 'Earlier chats' }).click()
  await chat.getByRole('menuitemradio', { name: 'Hello from Ada' }).click()
  await chat.getByText('You said: Hello from Ada').first().waitFor()
  expect(await chat.getByText('Hello from Bob').count()).toBe(0)
})

test('a user token that is written into the page and has ended is explained in words', async () => {
  app.script = () => answer('Good day!')
  const { token, agentId, id } = await share({})
  const hostUrl = await hostPage(token, ` data-user-token="${await userToken('eve@example.com', agentId)}"`)
  await app.docent.agents.links.update(agentId, id, { allowed_origins: [hostUrl] })
  const { page, chat } = await shopPage(hostUrl)
  await page.getByRole('button', { name: 'Open the chat' }).click()
  await chat.getByLabel('Your question to Helper').fill('Hi')
  await page.keyboard.press('Enter')
  await chat.getByText('Good day!').first().waitFor()
  const {
    virtual_users: [eve],
  } = await app.docent.virtualUsers.list((await app.docent.me()).workspace.id, {
    email: 'eve@example.com',
  })
  await app.docent.virtualUsers.delete((await app.docent.me()).workspace.id, eve!.id)
  await chat.getByLabel('Your question to Helper').fill('Still there?')
  await page.keyboard.press('Enter')
  await chat.getByText('You are no longer signed in here').waitFor()
})

test('pages of listed origins call with a user token, other pages and other credentials cannot', async () => {
  const { token, agentId, id } = await share({})
  const [listed, other] = [await hostPage(token), await hostPage(token)]
  await app.docent.agents.links.update(agentId, id, { allowed_origins: [listed] })
  const workspaceId = (await app.docent.me()).workspace.id
  await app.docent.browserOrigins.set(workspaceId, [listed])
  onTestFinished(async () => {
    await app.docent.browserOrigins.set(workspaceId, [])
  })
  const call = async (from: string, key: string) => {
    const { page } = await shopPage(from)
    return page.evaluate(
      ([url, with_]) =>
        fetch(url!, { headers: { 'x-api-key': with_! } }).then(
          async (reply) => [reply.status, (await reply.json()).error_code ?? 'none'],
          (error) => error.name,
        ),
      [`${app.server.url}/v1/agents/${agentId}/chats`, key],
    )
  }
  const ofUser = await userToken('ada@example.com', agentId)
  expect(await call(listed, ofUser)).toEqual([200, 'none'])
  expect(await call(listed, `${ofUser}x`)).toEqual('TypeError')
  expect(await call(other, ofUser)).toBe('TypeError')
  expect(await call(listed, app.server.apiKey)).toBe('TypeError')
})
