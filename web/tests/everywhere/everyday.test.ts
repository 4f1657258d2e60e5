import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answer, type ModelServer, startModelServer } from '../../../server/tests/support/models/model-server.ts'
import { launchBrowser } from '../support/browser.ts'
import { type RunningDocent, startDocent } from '../support/docent.ts'
import { driveClient, dropFromDisk } from '../support/drive.ts'
import { signedIn } from '../support/signed-in.ts'

const ARABIC = 'متى يدور المصباح؟'

let model: ModelServer
let docent: RunningDocent
let browser: Browser
let drive: ReturnType<typeof driveClient>
let files: string
/** Resolved when the model may send the rest of an answer. */
let rest = Promise.withResolvers<void>()

beforeAll(async () => {
  files = await mkdtemp(join(tmpdir(), 'docent-dropped-'))
  model = await startModelServer({
    script({ body }) {
      if (body.messages.at(-1).role === 'tool') return answer('Every twelve seconds [1].')
      const asked = JSON.stringify(body.messages.at(-1).content)
      if (asked.includes('Cite'))
        return answer({ toolCall: { name: 'search_knowledge', arguments: { query: 'lamp twelve seconds' } } })
      if (asked.includes('slowly')) return answer('It begins, ', { until: rest.promise }, 'and it ends.')
      if (asked.includes('picture')) return answer('See ![the map](https://pictures.example/map.png).')
      if (asked.includes('formula')) return answer('So $a\\,b$ and $c\\!d$ is it.')
      if (asked.includes('المصباح'))
        return answer(`${'يدور كل اثنتي عشرة ثانية.'}\n\n- مرة\n\n| أ | ب |\n|-|-|\n| 1 | 2 |`)
      return answer('You said so.')
    },
  })
  docent = await startDocent({
    OPENAI_COMPATIBLE_BASE_URL: model.openaiUrl,
    DOCENT_MODEL: 'openai-compatible/scripted',
    DOCENT_SAMPLE: 'false',
  })
  browser = await launchBrowser()
  drive = driveClient(docent)
}, 180_000)

afterAll(async () => {
  await browser?.close()
  await docent?.stop()
  await model?.close()
  await rm(files, { recursive: true, force: true })
})

const newAgent = async (name: string, fields: object = {}) => (await drive.docent.agents.create({ name, ...fields })).id

test('a dialog keeps what was typed: a selection that ends beside it, and Escape, lose nothing', async () => {
  const { page, expectNoTrouble, expectAccessible } = await signedIn(browser, docent, { path: '/drive' })
  await page.getByRole('button', { name: 'New folder' }).last().click()
  const dialog = page.getByRole('dialog', { name: 'New folder' })
  const name = dialog.getByLabel('Name')
  await name.fill('Lighthouse')
  const box = (await name.boundingBox())!
  await page.mouse.move(box.x + 60, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(10, box.y + 10, { steps: 4 })
  await page.mouse.up()
  expect(await name.inputValue()).toBe('Lighthouse')

  const question = page.getByRole('dialog', { name: 'Throw away what you typed?' })
  for (const leave of [
    () => page.keyboard.press('Escape'),
    () => page.mouse.click(10, 10),
    () => dialog.getByRole('button', { name: 'Close' }).first().click(),
  ]) {
    await leave()
    await question.waitFor()
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    expect(await name.inputValue()).toBe('Lighthouse')
  }
  await name.focus()
  await page.keyboard.press('Escape')
  await expectAccessible()
  await question.getByRole('button', { name: 'Throw away' }).click()
  await dialog.waitFor({ state: 'detached' })
  // Nothing was typed: nothing to ask.
  await page.getByRole('button', { name: 'New folder' }).last().click()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expectNoTrouble()
})

test('a draft, dropped files and a long question lose nothing, and each text has its own direction', async () => {
  const agentId = await newAgent('Keeper')
  const { page, expectNoTrouble, expectAccessible } = await signedIn(browser, docent, { path: `/chat/${agentId}` })
  const box = page.getByLabel('Your question to Keeper')
  await box.fill(ARABIC)
  expect(await box.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl')
  await page.getByRole('link', { name: 'Agents' }).click()
  await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor()
  // Nothing there takes files, and nothing opens them.
  const dropped = join(files, 'sizes.csv')
  await writeFile(dropped, 'work,height\n')
  await dropFromDisk(page, [dropped])
  await page.getByRole('link', { name: 'Chat', exact: true }).first().click()
  await expect.poll(() => box.inputValue()).toBe(ARABIC)
  await page.reload()
  await expect.poll(() => box.inputValue()).toBe(ARABIC)
  // Far from the box.
  await dropFromDisk(page, [dropped], { x: 500, y: 120 })
  const attached = page.getByRole('list', { name: 'Files for this question' })
  await attached.getByText('sizes.csv').waitFor()
  await attached.getByRole('progressbar').waitFor({ state: 'detached' })
  await watchAnnouncements(page)
  await box.press('Enter')
  const turn = page.getByRole('article').last()
  await turn.getByText('يدور كل').waitFor()
  const directions = await turn
    .locator('h2, .prose p, .prose ul, .prose table')
    .evaluateAll((all) => all.map((element) => getComputedStyle(element).direction))
  expect(directions).toEqual(['rtl', 'rtl', 'rtl', 'rtl'])
  // The question begins at the edge at which its answer begins: the button is at its end.
  await turn.getByRole('button', { name: 'Edit the question' }).waitFor()
  const rightEdges = await turn
    .locator('h2, .prose p')
    .evaluateAll((all) => all.map((element) => Math.round(element.getBoundingClientRect().right)))
  expect(rightEdges[0]).toBe(rightEdges[1])
  await turn.getByRole('list', { name: 'Files of this question' }).getByText('sizes.csv').waitFor()
  // The first answer of a new chat is told to screen readers, too.
  await expect.poll(() => announced(page)).toContain('Keeper is answering')
  await expect.poll(async () => (await announced(page)).some((text) => text.includes('يدور كل'))).toBe(true)
  await expectAccessible()
  await box.fill('Which formula?')
  await box.press('Enter')
  await expect.poll(() => page.locator('math').count()).toBe(2)
  const spaces = await page.locator('math mtext, math mspace').evaluateAll((all) => all.map((one) => one.outerHTML))
  expect(spaces).toHaveLength(2)
  expect(spaces[0]).toContain('\u2009')
  await box.fill(`A long one: ${'the lamp, the boat and the keeper. '.repeat(60)}The end of it.`)
  await box.press('Enter')
  const long = page.getByRole('article').last()
  await long.getByText('You said so.').waitFor()
  const heading = long.getByRole('heading', { level: 2 })
  const isCut = () => heading.evaluate((element) => element.scrollHeight > element.clientHeight + 1)
  expect(await isCut()).toBe(true)
  await long.getByRole('button', { name: 'Show the whole question' }).click()
  await expect.poll(isCut).toBe(false)
  await expectAccessible()
  expectNoTrouble()
})

/** Records what live regions of the page say. */
const watchAnnouncements = (page: Page) =>
  page.evaluate(() => {
    const told: string[] = []
    Object.assign(window, { told })
    const regions = new WeakSet<Element>()
    const observer = new MutationObserver((changes) => {
      for (const { target } of changes) {
        const region = (target instanceof Element ? target : target.parentElement)?.closest('[aria-live]')
        // Screen readers do not announce what a region holds when it appears.
        if (region && regions.has(region)) told.push(region.textContent ?? '')
      }
      for (const region of document.querySelectorAll('[aria-live]')) regions.add(region)
    })
    observer.observe(document.body, { childList: true, characterData: true, subtree: true })
  })
const announced = (page: Page): Promise<string[]> => page.evaluate(() => (window as unknown as { told: string[] }).told)

test('twenty files of a question leave room for it on a phone, and an empty one is not sent again', async () => {
  const agentId = await newAgent('Counter')
  const options = { path: `/chat/${agentId}`, viewport: { width: 375, height: 700 } }
  const { page, expectAccessible } = await signedIn(browser, docent, options)
  const box = page.getByLabel('Your question to Counter')
  await box.waitFor()
  const all = Array.from({ length: 20 }, (_, index) => join(files, `page-${index}.txt`))
  for (const [index, path] of all.entries()) await writeFile(path, index === 3 ? '' : `Page ${index}.`)
  await dropFromDisk(page, all, { x: 180, y: 300 })
  const attached = page.getByRole('list', { name: 'Files for this question' })
  await attached.getByText('The file is empty').waitFor()
  expect(await attached.getByRole('listitem').count()).toBe(20)
  expect(await attached.getByRole('button', { name: /again$/ }).count()).toBe(0)
  const { y, height } = (await box.boundingBox())!
  expect(y + height).toBeLessThan(700)
  await expectAccessible()
})

test('a second tab of the same chat follows what the first one asks', async () => {
  const agentId = await newAgent('Twice')
  const { id } = await drive.docent.chats.create(agentId, { title: 'Two tabs', chat_type: 'interact' })
  const { page, expectNoTrouble } = await signedIn(browser, docent, { path: `/chat/${agentId}/${id}`, locale: 'en-GB' })
  const second = await page.context().newPage()
  await second.goto(page.url())
  await second.getByLabel('Your question to Twice').waitFor()
  rest = Promise.withResolvers()
  await page.getByLabel('Your question to Twice').fill('Say it slowly')
  await page.keyboard.press('Enter')
  const followed = second.getByRole('article')
  await followed.getByText('It begins,').waitFor()
  rest.resolve()
  await followed.getByText('It begins, and it ends.').waitFor()
  await page.getByRole('article').getByRole('button', { name: 'Pin', exact: true }).click()
  await second.getByText('Pinned', { exact: true }).waitFor()
  // Dates as the browser is set: the day first, no AM and PM.
  await page.goto(`${docent.url}/agents/${agentId}/threads`)
  const title = await page.locator('time').first().getAttribute('title')
  expect(title).toMatch(/^\d{1,2} \w+ \d{4}, \d{2}:\d{2}:\d{2}$/)
  await page.getByText('1 thread', { exact: true }).waitFor({ state: 'attached' })
  expectNoTrouble()
})

test('of a long chat only what is near is in the page, wherever it is scrolled to', async () => {
  const agentId = await newAgent('Lengthy')
  const { id } = await drive.docent.chats.create(agentId, { title: 'Long', chat_type: 'interact' })
  for (let turn = 1; turn <= 120; turn++) {
    const { message_id } = await drive.docent.chats.query(agentId, id, { query: `Question ${turn} of them` })
    if (turn === 5) await drive.docent.chats.messages.update(agentId, id, message_id, { is_pinned: true })
  }
  const { page, expectNoTrouble, expectAccessible } = await signedIn(browser, docent, {
    path: `/chat/${agentId}/${id}`,
  })
  const turns = page.getByRole('article')
  await page.getByRole('heading', { name: 'Question 120 of them' }).waitFor()
  await page
    .locator('#page')
    .getByRole('button', { name: /^Actions for/ })
    .click()
  await page.getByRole('menuitem', { name: 'Pinned answers' }).click()
  const pins = page.getByRole('dialog', { name: 'Pinned answers' })
  await pins.getByRole('button', { name: /Question 5 of them/ }).click()
  const fifth = turns.filter({ hasText: 'Question 5 of them' })
  await expect.poll(() => fifth.evaluate((turn) => turn === document.activeElement)).toBe(true)
  const top = () => fifth.evaluate((turn) => Math.round(turn.getBoundingClientRect().top))
  const before = await top()
  expect(before).toBeGreaterThan(0)
  expect(before).toBeLessThan(300)
  await expect.poll(() => turns.count()).toBeLessThan(45)
  expect(Math.abs((await top()) - before)).toBeLessThan(40)
  await expectAccessible()
  await page
    .locator('#page')
    .getByRole('button', { name: /^Actions for/ })
    .click()
  const saving = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Save as Markdown' }).click()
  const saved = await saving
  expect(saved.suggestedFilename()).toBe('long.md')
  const text = await readFile(await saved.path(), 'utf8')
  expect(text.startsWith('# Long\n\n## Question 1 of them\n\nYou said so.\n')).toBe(true)
  expect(text.match(/^## /gm)).toHaveLength(120)
  await page.getByRole('button', { name: 'To the end' }).click()
  await page.getByRole('heading', { name: 'Question 119 of them' }).waitFor()
  await page.getByLabel('Your question to Lengthy').fill('One more')
  await page.keyboard.press('Enter')
  const last = turns.last()
  await last.getByText('You said so.').waitFor()
  expect(await last.evaluate((turn) => turn.getBoundingClientRect().top < innerHeight)).toBe(true)
  await expect.poll(() => turns.count()).toBeLessThan(45)
  expectNoTrouble()
})

test('a stopped answer, a refused picture, pins, the palette and an unknown address are reported calmly', async () => {
  const agentId = await newAgent('Calm')
  const { page, expectNoTrouble, expectAccessible } = await signedIn(browser, docent, { path: `/chat/${agentId}` })
  const box = page.getByLabel('Your question to Calm')
  rest = Promise.withResolvers()
  await box.fill('Say it slowly')
  await box.press('Enter')
  const first = page.getByRole('article').first()
  await first.getByText('It begins,').waitFor()
  await page.getByRole('button', { name: 'Stop the answer' }).click()
  await first.getByText('This answer was stopped.').waitFor()
  rest.resolve()
  expect(await page.getByRole('alert').count()).toBe(0)
  await box.fill('Show a picture')
  await box.press('Enter')
  const second = page.getByRole('article').nth(1)
  await second.getByText('the map').getByText('not shown: its address is in no source').waitFor()
  expect(await second.innerText()).not.toMatch(/hxxp|!\[/)
  await second.getByRole('button', { name: 'Pin', exact: true }).click()
  await second.getByText('Pinned').waitFor()
  await page
    .locator('#page')
    .getByRole('button', { name: /^Actions for/ })
    .click()
  await page.getByRole('menuitem', { name: 'Pinned answers' }).click()
  const pins = page.getByRole('dialog', { name: 'Pinned answers' })
  await pins.getByRole('list', { name: 'Pinned answers' }).getByText('Show a picture').waitFor()
  await expectAccessible()
  await pins.getByRole('button', { name: /Show a picture/ }).click()
  await expect.poll(() => second.evaluate((turn) => turn === document.activeElement)).toBe(true)
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Search' }).waitFor()
  await page.keyboard.type('People')
  await page.getByRole('option', { name: /People/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'People', level: 1 }).waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('page')
  const reply = await page.goto(`${docent.url}/nothing/here`)
  expect(reply?.status()).toBe(404)
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
  await expectAccessible()
  expectNoTrouble()
})

test('a menu that was looked at chooses nothing, and a file that cannot be read gets no tick', async () => {
  const folder = await drive.newFolder('Sundries')
  await drive.addFiles(folder, { 'one.txt': 'One.', 'two.txt': 'Two.', 'three.txt': 'Three.' })
  const { page, expectNoTrouble, expectAccessible } = await signedIn(browser, docent, { path: `/drive/${folder}` })
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })
  await row('one.txt').hover()
  await row('one.txt').getByRole('button', { name: 'Actions for one.txt' }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).waitFor()
  await page.keyboard.press('Escape')
  for (const name of ['two.txt', 'three.txt']) {
    await row(name).hover()
    await row(name).getByRole('checkbox').check()
  }
  await page.getByText('2 items chosen').waitFor()

  const broken = join(files, 'old.xls')
  await writeFile(broken, Buffer.from('d0cf11e0a1b11ae1', 'hex'))
  const fine = join(files, 'fine.txt')
  await writeFile(fine, 'Four.')
  await dropFromDisk(page, [broken, fine])
  const tray = page.getByRole('region', { name: 'Uploads' })
  await tray.getByText('2 files: 1 failed · 1 ready').waitFor()
  const inTray = (name: string) => tray.getByRole('listitem').filter({ hasText: name })
  expect(await inTray('fine.txt').getByLabel('Ready').count()).toBe(1)
  expect(await inTray('old.xls').getByLabel('Ready').count()).toBe(0)
  await tray.getByRole('alert').waitFor()
  await expectAccessible()
  expectNoTrouble()

  // An empty one is refused each time.
  const empty = join(files, 'empty.txt')
  await writeFile(empty, '')
  await dropFromDisk(page, [empty])
  await tray.getByText('The file is empty').waitFor()
  await tray.getByRole('button', { name: 'Forget empty.txt' }).waitFor()
  expect(await tray.getByRole('button', { name: /^Try/ }).count()).toBe(0)
})

test('agents have faces and are found; the sidebar folds; the source stands in its document; search finds what files say', async () => {
  const folder = await drive.newFolder('Coast')
  const paragraphs = Array.from(
    { length: 14 },
    (_, n) => `## Part ${n}\n\n${`Paragraph ${n} tells of the coast and its birds at length. `.repeat(30)}`,
  )
  paragraphs[7] = `## The lamp\n\n${'The lamp of the tower turns once every twelve seconds. '.repeat(20)}\n\n| Lens | Weight |\n| --- | --- |\n| Great | 900 kg |\n| Small | 80 kg |`
  await drive.addFiles(folder, { 'coast.md': `# Coast\n\n${paragraphs.join('\n\n')}` })
  const agentId = await newAgent('Coast guide', { knowledge_base_ids: [folder] })
  const { page, expectNoTrouble, expectAccessible } = await signedIn(browser, docent, {
    path: '/agents',
    viewport: { width: 1024, height: 720 },
  })
  await page.getByLabel('Find an agent').fill('guide')
  const cards = page.getByRole('main').getByRole('listitem')
  await expect.poll(() => cards.count()).toBe(1)
  expect(await cards.locator('.face').textContent()).toBe('CG')
  await expectAccessible()

  await page.getByRole('button', { name: 'Fold the sidebar' }).click()
  await page.goto(`${docent.url}/agents/${agentId}`)
  const tabs = page.getByRole('navigation').filter({ has: page.getByRole('link', { name: 'Knowledge' }) })
  await tabs.first().waitFor()
  expect(await tabs.first().evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
  await expectAccessible()
  await page.getByRole('button', { name: 'Show the sidebar' }).click()
  await page.getByRole('button', { name: 'Fold the sidebar' }).waitFor()

  await page.goto(`${docent.url}/drive`)
  await page.getByLabel('Find files and folders').fill('twelve seconds')
  const found = page.getByRole('region', { name: 'In the documents' })
  await found.getByRole('link', { name: 'coast.md' }).first().waitFor()
  await page.getByText('0 names with “twelve seconds”').waitFor()
  await expectAccessible()

  await drive.docent.agents.shortcuts.create(agentId, { name: 'Tides today', prompt: 'Cite the lamp', fields: [] })
  await page.goto(`${docent.url}/chat/${agentId}`)
  await page
    .getByRole('list', { name: 'Shortcuts' })
    .getByRole('button', { name: /Tides today/ })
    .waitFor()
  await expectAccessible()
  await page.getByLabel('Your question to Coast guide').fill('Cite the lamp')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^Source, 1, coast.md/ }).click()
  const source = page.getByRole('dialog', { name: 'coast.md' })
  await expect.poll(() => source.locator('blockquote p').count()).toBeGreaterThan(2)
  expect(await source.locator('mark').textContent()).toContain('twelve seconds')
  expect(await source.locator('mark').count()).toBe(1)
  // A table beside the passage is drawn as one, and not marked.
  await source.getByRole('cell', { name: '900 kg' }).waitFor()
  // The question is in the chat, and in the list: no third time.
  expect(await page.getByRole('heading', { level: 1 }).boundingBox()).toMatchObject({ width: 1 })
  await expectAccessible()
  expectNoTrouble()
})
