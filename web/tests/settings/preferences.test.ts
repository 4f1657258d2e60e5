import type { Locator } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { startScripted } from '../support/demo/scripted.ts'
import { signedIn } from '../support/signed-in.ts'
import { visit } from '../support/visitor.ts'

const app = startScripted()

test('dates are written as the browser is set, also where the UI has not its language', async () => {
  const { workspace } = await app.docent.me()
  await app.docent.quotas.set(workspace.id, { subject: { type: 'workspace' }, period: 'day', max_messages: 1_000 })
  const shown: Record<string, string> = {}
  const storageState = await (await signedIn(app.browser, app.server)).page.context().storageState()
  for (const locale of ['en-US', 'nl-NL', 'de-DE']) {
    const options = { path: '/settings/audit-log', locale, timezoneId: 'UTC', storageState }
    const { page, leave } = await visit(app.browser, app.server.url, options)
    onTestFinished(leave)
    shown[locale] = await page.getByRole('cell').locator('time:visible').first().innerText()
  }
  expect(shown['en-US']).toMatch(/^[A-Z][a-z]{2} \d{1,2}, \d{4}, \d{1,2}:\d\d:\d\d\s[AP]M$/)
  expect(shown['nl-NL']).toMatch(/^\d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d:\d\d$/)
  expect(shown['de-DE']).toMatch(/^\d\d\.\d\d\.\d{4}, \d\d:\d\d:\d\d$/)
})

test('the audit log calls a person’s quota by their name, and tells times and reach in words', async () => {
  const { workspace } = await app.docent.me()
  const person = await app.docent.virtualUsers.create(workspace.id, { email: 'mira@example.com', name: 'Mira' })
  await app.docent.quotas.set(workspace.id, {
    subject: { type: 'virtual_user', id: person.id },
    period: 'month',
    max_tokens: 5_000,
  })
  await app.docent.invitations.create({ role: 'admin' })
  await app.docent.agents.create({ name: 'Open desk', visibility: 'public' })
  const { page, expectNoTrouble } = await signedIn(app.browser, app.server, {
    path: '/settings/audit-log',
    locale: 'en-US',
    viewport: { width: 1280, height: 600 },
  })
  const entry = page.getByRole('row').filter({ hasText: 'Quota changed' }).first()
  await entry.getByRole('link', { name: 'Mira' }).waitFor()
  expect(await entry.getByRole('cell').nth(1).innerText()).not.toMatch(/[0-9a-f]{24}/)
  const invited = page.getByRole('row').filter({ hasText: 'Invitation created' }).first().getByRole('cell').nth(1)
  expect(await invited.innerText()).toMatch(
    /^Invitation created\s+role: Admin; expires: [A-Z][a-z]{2} \d{1,2}, \d{4}, .*[AP]M$/,
  )
  await page.getByRole('row').filter({ hasText: 'Open desk' }).getByText('visibility: Everybody with a link').waitFor()
  // The last page of a list that is longer than the window is seen in it.
  const isSeen = await page
    .getByRole('link', { name: 'Audit log' })
    .evaluate(
      (link) =>
        document.elementFromPoint(link.getBoundingClientRect().x + 9, link.getBoundingClientRect().y + 9) === link,
    )
  expect(isSeen).toBe(true)
  expectNoTrouble()
})

test('on small screens the table of threads is not cut, and a menu goes by letters and by direction', async () => {
  const { id } = await app.docent.agents.create({ name: 'Lamp room', visibility: 'organization' })
  const chat = await app.docent.chats.create(id, { title: 'How often does the lamp of the tower turn in a night?' })
  await app.docent.chats.query(id, chat.id, { query: 'How often?' })
  const { page, expectAccessible } = await signedIn(app.browser, app.server, { path: `/agents/${id}/threads` })
  const table = page.getByRole('region', { name: 'Threads' })
  await table.getByText('How often does').waitFor()
  for (const width of [375, 1_024, 1_120, 1_280]) {
    await page.setViewportSize({ width, height: 720 })
    const cut = await table.evaluate((box) => box.scrollWidth - box.clientWidth)
    expect({ width, cut }).toEqual({ width, cut: 0 })
  }
  await expectAccessible()

  const menu = page.getByRole('menu')
  const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim())
  await page.goto(`${app.server.url}/chat/${id}/${chat.id}`)
  await page
    .getByRole('main')
    .getByRole('button', { name: /^Actions for/ })
    .click()
  await menu.waitFor()
  await page.keyboard.press('d')
  await expect.poll(focused).toBe('Delete')
  await page.keyboard.press('Escape')

  await page.evaluate(() => localStorage.setItem('docent.language', 'ar'))
  await page.reload()
  const button = page
    .locator('#page')
    .getByRole('button', { name: /^إجراءات/ })
    .first()
  await button.click()
  await menu.waitFor()
  const from = (await button.boundingBox())!
  const at = (await menu.boundingBox())!
  // The button is at the left end of the header, and so is its menu.
  expect(Math.abs(at.x - from.x)).toBeLessThan(9)
})

test('a toast stays while it is pointed at, and goes afterwards', async () => {
  const { id } = await app.docent.knowledgeBases.create({ knowledge_base_name: 'Shelf' })
  const project = await app.docent.projects.create({ name: 'Shelf', knowledge_base_id: id })
  const { page } = await signedIn(app.browser, app.server)
  await page.clock.install()
  await page.goto(`${app.server.url}/projects/${project.id}`)
  await page.getByRole('textbox', { name: 'Instructions' }).fill('Be brief.')
  await page.getByRole('button', { name: 'Save' }).click()
  const toast = page.getByText('Saved', { exact: true })
  await toast.hover()
  // The button that closes it is seen on its ground.
  const colorOf = (of: Locator) => of.evaluate((element) => getComputedStyle(element).color)
  expect(await colorOf(page.getByRole('button', { name: 'Close' }))).toBe(await colorOf(toast))
  await page.clock.fastForward(20_000)
  expect(await toast.isVisible()).toBe(true)
  await page.mouse.move(5, 400)
  await page.clock.fastForward(20_000)
  await toast.waitFor({ state: 'detached' })
})

test('the shown part of a key runs from left to right in Arabic, and so does what a dialog says of it', async () => {
  const { workspace } = await app.docent.me()
  const { prefix } = await app.docent.apiKeys.create(workspace.id, { name: 'Ticket shop' })
  const { page } = await signedIn(app.browser, app.server)
  await page.evaluate(() => localStorage.setItem('docent.language', 'ar'))
  await page.goto(`${app.server.url}/settings/keys`)
  const row = page.getByRole('row').filter({ hasText: 'Ticket shop' })
  await row.waitFor()
  expect(await edgesOf(row, `${prefix}…`)).toBe('left to right')
  await row.getByRole('button').last().click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  expect(await edgesOf(dialog, `${prefix}…`)).toBe('left to right')
})

test('what people write runs in its own direction on Arabic pages', async () => {
  await app.docent.knowledgeBases.create({ knowledge_base_name: 'Really?' })
  const { id } = await app.docent.agents.create({
    name: 'Guide (new)',
    description: 'Does it help you?',
    visibility: 'public',
  })
  const link = { name: 'Site', greeting: 'Hello there!', starter_questions: ['When?'], language: 'ar' as const }
  const { token } = await app.docent.agents.links.create(id, link)
  const { page, leave } = await visit(app.browser, app.server.url, { path: `/shared/${token}` })
  onTestFinished(leave)
  await page.getByText('Hello there!').waitFor()
  for (const text of ['Guide (new)', 'Hello there!', 'Does it help you?', 'When?'])
    expect([text, await edgesOf(page.getByRole('main'), text)]).toEqual([text, 'left to right'])

  const inside = await signedIn(app.browser, app.server)
  await inside.page.evaluate(() => localStorage.setItem('docent.language', 'ar'))
  for (const [path, text] of [
    ['/drive', 'Really?'],
    ['/agents', 'Guide (new)'],
    [`/chat/${id}`, 'Does it help you?'],
  ] as const) {
    await inside.page.goto(app.server.url + path)
    await inside.page.locator('#page').getByText(text).first().waitFor()
    expect([path, await edgesOf(inside.page.locator('#page'), text)]).toEqual([path, 'left to right'])
  }
})

/** Whether the last character of a text is at the right of its first one. */
const edgesOf = (within: Locator, text: string): Promise<string> =>
  within.evaluate((element, text) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    const parts: { node: Text; at: number }[] = []
    while (walker.nextNode()) {
      const node = walker.currentNode as Text
      for (let at = 0; at < node.data.length; at++) parts.push({ node, at })
    }
    const from = parts
      .map(({ node, at }) => node.data[at])
      .join('')
      .indexOf(text)
    const leftOf = ({ node, at }: (typeof parts)[number]) => {
      const range = document.createRange()
      range.setStart(node, at)
      range.setEnd(node, at + 1)
      return range.getBoundingClientRect().left
    }
    if (from < 0) return 'missing'
    const [first, last] = [parts[from]!, parts[from + text.length - 1]!]
    return leftOf(first) < leftOf(last) ? 'left to right' : 'right to left'
  }, text)
