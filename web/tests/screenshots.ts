// npm run screenshots -w web [-- FOLDER]: screenshots of the UI, from a server with a few documents of a museum.
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Docent } from '@docent/sdk'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { startModelServer } from '../../server/tests/support/models/model-server.ts'
import { launchBrowser } from './support/browser.ts'
import { DEMO_FOLDERS } from './support/demo/demo.ts'
import { askForReviews, fillWorkspace, startReceiver, workspaceScript } from './support/demo/workspace-demo.ts'
import { type RunningDocent, startDocent } from './support/docent.ts'
import { shootAccounts, shootOverlays } from './support/shots/account-shots.ts'
import { addShownAgent, shootAgents, withProposal } from './support/shots/agent-shots.ts'
import { shootArabic, suggestionsOf } from './support/shots/arabic-shots.ts'
import { addDesks, shootChats, withDesk } from './support/shots/chat-shots.ts'
import { giveCodeFont } from './support/shots/code-font.ts'
import { fillDrive, shootDrive } from './support/shots/drive-shots.ts'
import { addEvaluation, shootEvaluation } from './support/shots/evaluation-shots.ts'
import { shootWorkspace } from './support/shots/workspace-shots.ts'
import { enterKey } from './support/signed-in.ts'

const folder = resolve(process.argv[2] ?? fileURLToPath(new URL('../screenshots', import.meta.url)))
await mkdir(folder, { recursive: true })
const PHONE = { viewport: { width: 375, height: 740 }, hasTouch: true }
const LIST = {
  data: [
    { id: 'scripted', context_length: 128_000, supported_parameters: ['tools'] },
    {
      id: 'seeing',
      context_length: 262_144,
      architecture: { input_modalities: ['text', 'image'] },
      supported_parameters: ['tools'],
      pricing: { prompt: '0.0000004', completion: '0.0000016' },
    },
  ],
}
await using model = await startModelServer({ script: withProposal(withDesk(workspaceScript)), list: () => LIST })
const sources = await mkdtemp(join(tmpdir(), 'docent-sources-'))
const server = await startDocent({
  OPENAI_COMPATIBLE_BASE_URL: model.openaiUrl,
  DOCENT_MODEL: 'openai-compatible/scripted',
  DOCENT_SAMPLE: 'false',
  DOCENT_OUTBOUND_ALLOW: '127.0.0.1/32',
  DOCENT_DIRECTORY_ROOTS: sources,
  DOCENT_WEBHOOK_RETRY_DELAYS: '1,2,3600',
})
const receiver = await startReceiver()
const browser = await launchBrowser()
let latest: Page | undefined
try {
  await fill(server)
  await fillDrive(server)
  // First: questions asked below would appear in these pictures, in one theme more than in the other.
  const place = await workspace(server)
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await open(browser, { colorScheme })
    await signIn(page)
    await shootWorkspace(page, place, (name) => shoot(page, `${name}-${colorScheme}`))
    await page.context().close()
  }
  const page = await open(browser, PHONE)
  await signIn(page)
  await shootWorkspace(page, place, (name) => shoot(page, `phone-${name}`))
  await page.context().close()
  await desktop(browser, 'light')
  await desktop(browser, 'dark')
  await phone(browser)
  // Last: questions go to the agent created last.
  const desks = await addDesks(server)
  await threeTimes((page, shoot) => shootChats(page, server.url, desks, shoot))
  const shown = await addShownAgent(server)
  await threeTimes((page, shoot) => shootAgents(page, server.url, shown, shoot))
  const evaluated = await addEvaluation(server, place.agentId)
  await threeTimes((page, shoot) => shootEvaluation(page, server.url, evaluated, shoot))
  await threeTimes((page, shoot) => shootArabic(page, server, place.agentId, shoot))
  const names = ['Ruth', 'Jonas', 'Mei']
  await threeTimes((page, shoot) => shootAccounts(page, server, names.pop()!, shoot))
  await threeTimes((page, shoot) => shootOverlays(page, server.url, place.agentId, shoot))
} catch (error) {
  const path = join(tmpdir(), 'docent-screenshots-failed.png')
  await latest?.screenshot({ path })
  console.error(`It stopped at ${latest?.url()}, which looked like ${path}.`)
  throw error
} finally {
  await browser.close()
  await server.stop()
  receiver.server.close()
  await rm(sources, { recursive: true })
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
  // Before the others: signing in opens the agent created last.
  await askForReviews(docent)
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

/** @returns the paths of the workspace pages */
async function workspace({ url, apiKey }: RunningDocent): Promise<{ url: string; agentId: string }> {
  const docent = new Docent({ baseUrl: url, apiKey })
  const { agents } = await docent.agents.list()
  const agentId = agents.find(({ name }) => name === 'Visitor desk')!.id
  await fillWorkspace(docent, { agentId, receiverUrl: receiver.url, sourceDir: sources })
  const { workspace } = await docent.me()
  const museum = { kind: 'openai-compatible', base_url: model.openaiUrl, api_key: 'sk-for-the-pictures-a1b2' } as const
  await docent.modelProviders.put(workspace.id, 'museum', museum)
  return { url, agentId }
}

async function open(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1120, height: 700 }, ...options })
  await giveCodeFont(context)
  const page = await context.newPage()
  latest = page
  // A whole answer may take long on a busy machine.
  page.setDefaultTimeout(60_000)
  await page.goto(server.url)
  await page.getByLabel('Password').waitFor()
  await page.evaluate(() => document.fonts.ready)
  return page
}

async function signIn(page: Page): Promise<void> {
  await enterKey(page, server.apiKey)
  await page.getByLabel(/Your question/).waitFor()
  await page.waitForLoadState('networkidle')
}

/** Takes pictures in both themes, and on a phone. */
async function threeTimes(take: (page: Page, shoot: (name: string) => Promise<void>) => Promise<void>): Promise<void> {
  for (const [how, options] of [
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
    ['phone', PHONE],
  ] as const) {
    const page = await open(browser, options)
    await signIn(page)
    await take(page, (name) => shoot(page, how === 'phone' ? `phone-${name}` : `${name}-${how}`))
    await page.context().close()
  }
}

async function ask(page: Page): Promise<void> {
  await page.getByLabel(/Your question/).fill('When can I bring a school class, and what does it cost?')
  await page.keyboard.press('Enter')
  await page.getByRole('list', { name: 'Sources' }).waitFor()
}

async function shoot(page: Page, name: string): Promise<void> {
  await page.getByText('Loading', { exact: true }).first().waitFor({ state: 'hidden' })
  await page.evaluate(() => {
    // Some animations never end, such as the pulse of running work.
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
    return Promise.allSettled(ending.map(({ finished }) => finished))
  })
  await page.mouse.move(0, 0)
  await page.screenshot({ path: join(folder, `${name}.jpg`), type: 'jpeg', quality: 72 })
}

async function desktop(browser: Browser, colorScheme: 'light' | 'dark'): Promise<void> {
  const page = await open(browser, { colorScheme })
  if (colorScheme === 'light') await shoot(page, 'sign-in')
  await signIn(page)
  await suggestionsOf(page).waitFor()
  await shoot(page, `new-chat-${colorScheme}`)
  await ask(page)
  await page.getByRole('button', { name: /^Source, 2/ }).click()
  const source = page.getByRole('dialog', { name: 'school-classes.md' })
  await source.getByText('printing workshop').first().waitFor()
  await source.getByText('Classes are welcome').waitFor()
  await shoot(page, `chat-${colorScheme}`)
  await shootDrive(page, server.url, (name) => shoot(page, `${name}-${colorScheme}`))
  await page.context().close()
}

async function phone(browser: Browser): Promise<void> {
  const page = await open(browser, PHONE)
  await signIn(page)
  await suggestionsOf(page).waitFor()
  await shoot(page, 'phone-new-chat')
  await ask(page)
  await shoot(page, 'phone-chat')
  await shootDrive(page, server.url, (name) => shoot(page, `phone-${name}`))
  await page.context().close()
}
