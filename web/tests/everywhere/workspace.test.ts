import { readFile } from 'node:fs/promises'
import { Docent } from '@docent/sdk'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answer, type ModelServer, startModelServer } from '../../../server/tests/support/models/model-server.ts'
import { launchBrowser } from '../support/browser.ts'
import { askForReviews, workspaceScript } from '../support/demo/workspace-demo.ts'
import { type RunningDocent, startDocent } from '../support/docent.ts'
import { signedIn } from '../support/signed-in.ts'

let model: ModelServer
let docent: RunningDocent
let browser: Browser
let owner: Docent
let workspaceId: string
let deskId: string

beforeAll(async () => {
  model = await startModelServer({
    script(request, index) {
      const asked = String(request.body.messages.at(-1).content)
      if (asked.includes('break')) return { status: 400, body: { error: { message: 'The model is not well' } } }
      if (asked.startsWith('Tell')) return answer({ reasoning: 'Easy.' }, `You said: ${asked}`)
      return workspaceScript(request, index)
    },
  })
  docent = await startDocent({
    OPENAI_COMPATIBLE_BASE_URL: model.openaiUrl,
    DOCENT_MODEL: 'openai-compatible/scripted',
    DOCENT_SAMPLE: 'false',
  })
  browser = await launchBrowser()
  owner = new Docent({ baseUrl: docent.url, apiKey: docent.apiKey })
  workspaceId = (await owner.me()).workspace.id
  deskId = (await owner.agents.create({ name: 'Desk' })).id
}, 180_000)

afterAll(async () => {
  await browser?.close()
  await docent?.stop()
  await model?.close()
})

/** Chat with one question. */
async function ask(query: string, chat: Parameters<Docent['chats']['create']>[1] = {}, email?: string) {
  const { id } = await owner.chats.create(deskId, { title: query, ...chat })
  const question = { query, virtual_user_email: email }
  const { message_id } = await owner.chats.query(deskId, id, question).catch(() => ({ message_id: '' }))
  return { id, message_id }
}

const listTitles = (page: Page) => page.getByRole('region', { name: 'Threads' }).getByRole('link').allTextContents()

test('threads are found, sorted, distinguished, exported and read with what they took', async () => {
  const liked = await ask(
    'Tell me about kilns',
    { chat_type: 'interact', metadata: { team: 'clay' } },
    'ada@example.com',
  )
  await owner.chats.messages.giveFeedback(deskId, liked.id, liked.message_id, { rating: 'up', comment: 'Just so.' })
  await ask('Tell me about looms', { metadata: { team: 'wool' } }, 'bob@example.com')
  await ask('Please break')
  const { page, expectNoTrouble, expectAccessible } = await signedIn(browser, docent, { path: `/agents/${deskId}` })
  await page.getByRole('link', { name: 'Threads' }).click()
  await expect.poll(() => listTitles(page)).toEqual(['Please break', 'Tell me about looms', 'Tell me about kilns'])
  await page.getByRole('row').filter({ hasText: 'Please break' }).getByText('Failed').waitFor()
  await expectAccessible()

  await page.getByRole('button', { name: 'Thread', exact: true }).click()
  await page.getByRole('button', { name: 'Thread', exact: true }).click()
  await expect.poll(() => listTitles(page)).toEqual(['Please break', 'Tell me about kilns', 'Tell me about looms'])
  await page.getByLabel('State').selectOption({ label: 'Failed' })
  await expect.poll(() => listTitles(page)).toEqual(['Please break'])
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByLabel('Feedback').selectOption({ label: 'Liked' })
  await expect.poll(() => listTitles(page)).toEqual(['Tell me about kilns'])
  await page.reload()
  await expect.poll(() => listTitles(page)).toEqual(['Tell me about kilns'])
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByLabel('Metadata, as key=value').fill('team=wool')
  await expect.poll(() => listTitles(page)).toEqual(['Tell me about looms'])
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByLabel('E-mail of a person').fill('ADA@example.com')
  await expect.poll(() => listTitles(page)).toEqual(['Tell me about kilns'])
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByLabel('Find by title').fill('nothing of the kind')
  await page.getByRole('heading', { name: 'No matching threads' }).waitFor()
  await page.getByLabel('Find by title').fill('tell')
  await expect.poll(() => listTitles(page)).toHaveLength(2)

  await page.getByRole('button', { name: 'Columns' }).click()
  const columns = page.getByRole('dialog', { name: 'Columns' })
  await columns.getByRole('checkbox', { name: 'team' }).check()
  await columns.getByRole('checkbox', { name: 'Tokens' }).uncheck()
  await expectAccessible()
  await columns.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('cell', { name: 'wool' }).waitFor()
  expect(await page.getByRole('columnheader', { name: 'Tokens' }).count()).toBe(0)

  const csv = await exported(page, 'As CSV')
  expect(csv.split('\r\n')).toEqual([
    expect.stringMatching(/^id,title,.*,metadata\.team$/),
    expect.stringMatching(/Tell me about kilns,interact,completed,ada@example.com,1,1,.*,clay$/),
    expect.stringMatching(/Tell me about looms,standard,completed,bob@example.com,1,1,.*,wool$/),
    '',
  ])
  const json = JSON.parse(await exported(page, 'As JSON'))
  expect(json).toMatchObject([{ metadata: { team: 'clay' } }, { metadata: { team: 'wool' } }])

  await page.getByRole('link', { name: 'Tell me about kilns' }).click()
  await page.getByText('You said: Tell me about kilns').waitFor()
  await page.getByText('Just so.').waitFor()
  await page.getByText('Run details').click()
  await page.getByText('openai-compatible/scripted').waitFor()
  await page.getByText('Answered with the rights of the API key Owner').waitFor()
  await page.getByText('Easy.').waitFor()
  await expectAccessible()
  // A chat of a program is listed among one's own while it is open.
  await page.goBack()
  await page.getByRole('link', { name: 'Tell me about looms' }).click()
  await page.getByRole('link', { name: 'Open as a chat' }).click()
  const own = page.getByRole('list', { name: 'Chats' })
  await own.getByText('Open now').waitFor()
  await own.getByRole('link', { name: 'Tell me about looms' }).waitFor()
  await own.getByRole('link', { name: 'Tell me about kilns' }).click()
  await own.getByText('Open now').waitFor({ state: 'detached' })
  await page.goto(`${docent.url}/agents/${deskId}/threads`)
  await page.getByRole('link', { name: 'Tell me about kilns' }).click()
  await page.getByRole('link', { name: 'All threads of Desk' }).click()
  await page.getByRole('link', { name: 'Please break' }).click()
  await page.getByRole('alert').waitFor()
  expectNoTrouble()
})

async function exported(page: Page, format: string): Promise<string> {
  await page.getByRole('button', { name: 'Export' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: format }).click()
  return readFile(await (await download).path(), 'utf8')
}

test('a person is added, changed, removed, brought back, and erased with what they left', async () => {
  const { page, expectNoTrouble, expectAccessible } = await signedIn(browser, docent, { path: '/people' })
  await page.getByRole('button', { name: 'Add a person' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('E-mail').fill('Grace@example.com')
  await form.getByRole('button', { name: 'Add metadata' }).click()
  await form.getByLabel('Name 1').fill('Floor')
  await form.getByLabel('Value 1').fill('Second')
  await expectAccessible()
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('heading', { name: 'Grace@example.com' }).waitFor()
  await page.getByText('Nothing asked yet').waitFor()
  await page.getByRole('button', { name: 'Edit' }).click()
  await form.getByLabel('Name', { exact: true }).fill('Grace')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Grace', exact: true }).waitFor()
  const { virtual_users } = await owner.virtualUsers.list(workspaceId, { email: 'grace@example.com' })
  expect(virtual_users).toMatchObject([{ name: 'Grace', metadata: { floor: 'second' } }])

  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'Restore' }).waitFor()
  await page.getByRole('link', { name: 'Grace' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Restore' }).click()
  await page.getByRole('link', { name: 'Grace' }).waitFor()

  await ask('Tell Grace', {}, 'grace@example.com')
  await page.getByLabel('Find by e-mail, name or origin').fill('GRACE')
  await expect.poll(() => page.getByRole('region', { name: 'People' }).getByRole('link').count()).toBe(1)
  await expectAccessible()
  await page.getByRole('link', { name: 'Grace' }).click()
  await page.getByRole('link', { name: 'Tell Grace' }).waitFor()
  await expectAccessible()
  await page.getByRole('button', { name: 'Erase' }).click()
  const erase = page.getByRole('dialog')
  await erase.getByText('1 message that they sent').waitFor()
  expect(await erase.getByRole('button', { name: 'Erase' }).isDisabled()).toBe(true)
  await erase.getByLabel('Type their e-mail to continue').fill('grace@example.com')
  await expectAccessible()
  await erase.getByRole('button', { name: 'Erase' }).click()
  await page.getByRole('dialog', { name: 'Erased' }).getByText('1 message with their answers').waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('heading', { name: 'People', level: 1 }).waitFor()
  expect((await owner.virtualUsers.list(workspaceId, { email: 'grace@example.com' })).virtual_users).toEqual([])
  expectNoTrouble()
})

test('a person is merged into another one, whose page then has the chats of both', async () => {
  await ask('Where is the pump?', {}, 'old@example.com')
  await ask('Where is the valve?', {}, 'new@example.com')
  const { virtual_users } = await owner.virtualUsers.list(workspaceId, { email: 'old@example.com' })
  const path = `/people/${virtual_users[0]!.id}`
  const { page, expectNoTrouble, expectAccessible } = await signedIn(browser, docent, { path })
  await page.getByRole('button', { name: 'Merge' }).click()
  const dialog = page.getByRole('dialog', { name: 'Merge old@example.com' })
  expect(await dialog.getByRole('button', { name: 'Merge' }).isDisabled()).toBe(true)
  await dialog.getByLabel('E-mail of the person that stays').fill('New@example.com')
  await dialog.getByText('Found').waitFor()
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Merge' }).click()
  await page.getByRole('heading', { name: 'new@example.com' }).waitFor()
  for (const name of ['Where is the pump?', 'Where is the valve?']) await page.getByRole('link', { name }).waitFor()
  await expectAccessible()
  expectNoTrouble()
})

test('a person is answered only from the folders that they were granted, and can be exported', async () => {
  const folder = await owner.knowledgeBases.create({ knowledge_base_name: 'Handbook' })
  const { id } = await owner.virtualUsers.create(workspaceId, { email: 'granted@example.com' })
  const { page, expectNoTrouble, expectAccessible } = await signedIn(browser, docent, { path: `/people/${id}` })
  await page.getByText('Answered from all that the key that asks may read.').waitFor()
  await page.getByRole('button', { name: 'Change folders' }).click()
  const dialog = page.getByRole('dialog', { name: 'Folders for granted@example.com' })
  await dialog.getByLabel('Answer only from certain folders').check()
  await dialog.getByRole('checkbox', { name: 'Handbook' }).check()
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Answered only from Handbook and what is below.').waitFor()
  await expectAccessible()
  expect((await owner.virtualUsers.grants.get(workspaceId, id)).knowledge_base_ids).toEqual([folder.id])
  await page.getByRole('button', { name: 'Change folders' }).click()
  await dialog.getByLabel('Answer only from certain folders').uncheck()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Answered from all that the key that asks may read.').waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  expect((await download).suggestedFilename()).toBe('granted@example.com.zip')
  expectNoTrouble()
})

test('what agents ask waits in the inbox, and is approved and answered there', async () => {
  const { page, expectNoTrouble, expectAccessible } = await signedIn(browser, docent, { path: '/inbox' })
  await page.getByRole('heading', { name: 'Nothing waits for you' }).waitFor()
  await page.getByRole('link', { name: 'To the agents' }).waitFor()
  await expectAccessible()
  const registrarId = await askForReviews(owner)
  const letter = page.getByRole('article').filter({ hasText: 'make a file?' })
  await letter.getByText('We lend twelve prints').waitFor()
  await page.getByRole('link', { name: 'Inbox 2 waiting' }).waitFor()
  await expectAccessible()
  await letter.getByLabel('Note').fill('Looks good')
  await letter.getByRole('button', { name: 'Approve' }).click()
  await letter.waitFor({ state: 'detached' })
  const frames = page.getByRole('article').filter({ hasText: 'Which frames' })
  await frames.getByRole('button', { name: 'Oak' }).click()
  await page.getByRole('heading', { name: 'Nothing waits for you' }).waitFor()
  await page.getByLabel('State').selectOption({ label: 'Answered' })
  await page.getByRole('article').getByText('Oak').waitFor()
  await expect
    .poll(async () => (await owner.chats.list(registrarId)).chats.map(({ status }) => status))
    .toEqual(['completed', 'completed'])
  await page.getByRole('link', { name: 'Open the chat' }).click()
  await page.getByRole('article').getByText('Thank you: I ordered them.').waitFor()
  expectNoTrouble()
})

test('usage is drawn, broken down and saved; the audit log tells who did what', async () => {
  await ask('Tell me once more', {}, 'ada@example.com')
  const { page, expectNoTrouble, expectAccessible } = await signedIn(browser, docent, { path: '/settings/usage' })
  await page.getByRole('heading', { name: 'By agent' }).waitFor()
  await page.getByRole('row').filter({ hasText: 'Desk' }).waitFor()
  await page.getByRole('button', { name: 'Tokens' }).click()
  await page.getByText('Tokens in figures').click()
  await expectAccessible()
  await page.getByLabel('Broken down by').selectOption({ label: 'Person' })
  await page.getByRole('row').filter({ hasText: 'ada@example.com' }).waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV' }).last().click()
  expect(await readFile(await (await download).path(), 'utf8')).toContain('ada@example.com')

  const { id: aboveId } = await owner.knowledgeBases.create({ knowledge_base_name: 'Contracts' })
  await owner.knowledgeBases.create({ knowledge_base_name: 'Leases', parent_kb_id: aboveId })
  await owner.agents.jobs.create(deskId, { name: 'Greet' })
  await page.getByRole('link', { name: 'Audit log' }).click()
  await page.getByText('Agent created').first().waitFor()
  await page.getByRole('row').filter({ hasText: 'Greet' }).getByText('agent: Desk').waitFor()
  await page.getByRole('row').filter({ hasText: 'Leases' }).getByText('folder above: Contracts').waitFor()
  const { id: groupId } = await owner.groups.create({ name: 'Archivists' })
  await owner.knowledgeBases.grants.set(aboveId, [{ kind: 'group', id: groupId, level: 'write' }])
  await page.reload()
  const rights = page.getByRole('row').filter({ hasText: 'Rights to a folder changed' })
  await rights.getByText('rights: Archivists: may change', { exact: true }).waitFor()
  await expectAccessible()
  await page.getByLabel('Changed object').selectOption({ label: 'API keys' })
  await page.getByRole('heading', { name: 'Nothing here' }).or(page.getByText('API key created')).first().waitFor()
  await page.getByLabel('Changed object').selectOption({ label: 'Everything' })
  const by = page.getByLabel('Done by')
  await by.selectOption({ label: 'Operators, on the server' })
  await expect.poll(() => page.getByText('Agent created').count()).toBe(0)
  await page.getByText('Organization created').waitFor()
  expect(page.url()).toContain('by=operator')
  await by.selectOption({ label: 'By everybody' })
  await page.getByRole('row').filter({ hasText: 'Agent created' }).first().getByRole('button').click()
  await expect.poll(() => page.url()).toContain('by=key')
  expect(await by.inputValue()).toMatch(/^key:/)
  await page.getByText('Agent created').first().waitFor()
  await expectAccessible()
  expectNoTrouble()
})

test('narrow and dark every page of a workspace stays usable', async () => {
  const { page, expectAccessible } = await signedIn(browser, docent, {
    colorScheme: 'dark',
    viewport: { width: 375, height: 740 },
    path: '/people',
  })
  for (const path of [
    '/people',
    '/inbox',
    `/agents/${deskId}/threads`,
    '/settings/keys',
    '/settings/webhooks',
    '/settings/usage',
    '/settings/audit-log',
    '/settings/streaming',
  ]) {
    await page.goto(docent.url + path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(375)
    await expectAccessible()
  }
})
