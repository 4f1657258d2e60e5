// npm run screenshots -w web [-- FOLDER]: pictures of the UI as it is, from a server with a few documents of a museum.
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Docent } from '@docent/sdk'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { startModelServer } from '../../server/tests/support/model-server.ts'
import { launchBrowser } from './support/browser.ts'
import { DEMO_FOLDERS, demoScript } from './support/demo.ts'
import { type RunningDocent, startDocent } from './support/docent.ts'
import { fillDrive, shootDrive } from './support/drive-shots.ts'

const folder = resolve(process.argv[2] ?? fileURLToPath(new URL('../screenshots', import.meta.url)))
await mkdir(folder, { recursive: true })
await using model = await startModelServer({ script: demoScript })
const server = await startDocent({
  OPENAI_COMPATIBLE_BASE_URL: model.openaiUrl,
  DOCENT_MODEL: 'openai-compatible/scripted',
  DOCENT_SAMPLE: 'false',
})
const browser = await launchBrowser()
try {
  await fill(server)
  await fillDrive(server)
  await desktop(browser, 'light')
  await desktop(browser, 'dark')
  await phone(browser)
} finally {
  await browser.close()
  await server.stop()
}

async function fill({ url, apiKey }: RunningDocent): Promise<void> {
  const docent = new Docent({ baseUrl: url, apiKey })
  const ids: string[] = []
  for (const { name, parent, files } of DEMO_FOLDERS) {
    const parent_kb_id = parent === undefined ? null : ids[parent]!
    const { id } = await docent.knowledgeBases.create({ knowledge_base_name: name, parent_kb_id })
    ids.push(id)
    for (const [title, text] of Object.entries(files)) {
      const fileId = await docent.files.upload(new File([text], title))
      await docent.dataSources.add(id, { file_id: fileId, data_source_title: title })
    }
    if (Object.keys(files).length > 0) await docent.knowledgeBases.waitUntilIndexed(id)
  }
  await docent.agents.create({
    name: 'Conservation',
    description: 'Knows how each work must be kept, lit and moved.',
    knowledge_base_ids: [ids[1]!],
  })
  await docent.agents.create({
    name: 'Visitor desk',
    description: 'Answers what visitors ask, from the house’s own papers.',
    instructions: 'Answer in at most three short paragraphs. Name the room when it helps.',
    knowledge_base_ids: [ids[0]!],
  })
}

async function open(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1120, height: 700 }, ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  await page.goto(server.url)
  await page.getByLabel('API key').waitFor()
  await page.evaluate(() => document.fonts.ready)
  return page
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('API key').fill(server.apiKey)
  await page.keyboard.press('Enter')
  await page.getByLabel(/Your question/).waitFor()
}

async function ask(page: Page): Promise<void> {
  await page.getByLabel(/Your question/).fill('When can I bring a school class, and what does it cost?')
  await page.keyboard.press('Enter')
  await page.getByRole('list', { name: 'Sources' }).waitFor()
}

async function shoot(page: Page, name: string): Promise<void> {
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)))
  await page.mouse.move(0, 0)
  await page.screenshot({ path: join(folder, `${name}.jpg`), type: 'jpeg', quality: 72 })
}

async function desktop(browser: Browser, colorScheme: 'light' | 'dark'): Promise<void> {
  const page = await open(browser, { colorScheme })
  if (colorScheme === 'light') await shoot(page, 'sign-in')
  await signIn(page)
  await ask(page)
  await page.getByRole('button', { name: /^Source, 2/ }).click()
  await shoot(page, `chat-${colorScheme}`)
  await shootDrive(page, server.url, (name) => shoot(page, `${name}-${colorScheme}`))
  await page.context().close()
}

async function phone(browser: Browser): Promise<void> {
  const page = await open(browser, { viewport: { width: 375, height: 740 }, hasTouch: true })
  await signIn(page)
  await shoot(page, 'phone-new-chat')
  await ask(page)
  await shoot(page, 'phone-chat')
  await shootDrive(page, server.url, (name) => shoot(page, `phone-${name}`))
  await page.context().close()
}
