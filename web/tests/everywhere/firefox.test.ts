import { Docent } from '@docent/sdk'
import type { Browser, Page } from 'puppeteer-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  answer,
  type ModelServer,
  type Step,
  startModelServer,
} from '../../../server/tests/support/models/model-server.ts'
import { type RunningDocent, startDocent } from '../support/docent.ts'
import {
  click,
  dropFile,
  fill,
  findFirefox,
  gone,
  launchFirefox,
  openPage,
  see,
  signInWith,
} from '../support/firefox.ts'

const HANDBOOK = `# Lighthouse handbook

## The lamp
The lamp is lit at sunset and must turn once every twelve seconds, which sailors know as the sign of this coast.

## The boat
The supply boat comes on the first Tuesday of each month.
`

const path = await findFirefox()
const why = path ? '' : ' (skipped: this machine has no Firefox; apt-get install firefox-esr brings one)'

let docent: RunningDocent
let browser: Browser
let models: ModelServer
let says: Step[] = ['From nine to six.']

beforeAll(async () => {
  if (!path) return
  models = await startModelServer({
    script: () => answer(...says),
    list: () => ({ data: [{ id: 'small', context_length: 9_000, supported_parameters: ['tools'] }] }),
  })
  docent = await startDocent({ DOCENT_OUTBOUND_ALLOW: '127.0.0.1/32' })
  browser = await launchFirefox(path)
}, 180_000)

afterAll(async () => {
  await browser?.close()
  await docent?.stop()
  await models?.close()
})

test.skipIf(!path)(
  `Firefox: from signing in and a dropped document to a cited answer and its source${why}`,
  async () => {
    const { page, trouble } = await openPage(browser)
    await signInWith(page, docent)
    await see(page, 'h1, h2', 'Drop your documents. Ask.')

    await dropFile(page, 'lighthouse-handbook.md', HANDBOOK)
    await see(page, 'main', 'lighthouse-handbook.md')
    await click(page, 'textarea')
    await page.keyboard.type('How often must the lamp turn?')
    await page.keyboard.press('Enter')
    await see(page, 'article', 'every twelve seconds')

    await click(page, 'article button[aria-haspopup=dialog]', 'Source')
    expect((await see(page, '[role=dialog] mark')).text).toContain('every twelve seconds')
    await click(page, '[role=dialog] a', 'Open')
    await see(page, 'section[aria-label="Cited passage"]', 'every twelve seconds')
    // Firefox marks the passage in the document, too.
    const marked = () =>
      page.evaluate(() => [...(CSS.highlights.get('passage') ?? [])].map((range) => String(range as Range)).join(''))
    await expect.poll(marked, { timeout: 20_000 }).toContain('must turn once every twelve seconds')
    expect(trouble).toEqual([])
  },
)

test.skipIf(!path)(
  `Firefox: drafts, palette, menus, dialogs, right-to-left text and unknown addresses${why}`,
  async () => {
    const api = new Docent({ baseUrl: docent.url, apiKey: docent.apiKey })
    const agent = await api.agents.create({ name: 'Keeper' })
    const chat = await api.chats.create(agent.id, { title: 'The lamp' })
    await api.chats.query(agent.id, chat.id, { query: 'How often does it turn?' })
    const { page, trouble } = await openPage(browser)
    await signInWith(page, docent)
    await see(page, '#page h1')
    await page.goto(`${docent.url}/chat/${agent.id}`)
    await click(page, 'textarea')
    await page.keyboard.type('كم مرة يدور المصباح؟')
    const box = () =>
      page.evaluate(() => {
        const field = document.querySelector('textarea')!
        return { text: field.value, direction: getComputedStyle(field).direction }
      })
    expect(await box()).toEqual({ text: 'كم مرة يدور المصباح؟', direction: 'rtl' })

    await page.keyboard.down('Control')
    await page.keyboard.press('k')
    await page.keyboard.up('Control')
    await see(page, 'dialog', '')
    await page.keyboard.type('People')
    await see(page, '[role=option]', 'People')
    await page.keyboard.press('Enter')
    await see(page, 'h1', 'People')
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('page')
    await page.goto(`${docent.url}/chat/${agent.id}`)
    await see(page, 'textarea')
    await expect.poll(async () => (await box()).text).toBe('كم مرة يدور المصباح؟')

    // A dialog asks before it throws away what was typed.
    await page.goto(`${docent.url}/settings/keys`)
    await click(page, 'main button', 'New key')
    await see(page, 'dialog[open] input')
    await click(page, 'dialog[open] input')
    await page.keyboard.type('Ticket shop')
    await page.keyboard.press('Escape')
    await click(page, 'dialog[open] button', 'Keep editing')
    const typed = () => page.evaluate(() => document.querySelector<HTMLInputElement>('dialog[open] input')?.value)
    await expect.poll(typed).toBe('Ticket shop')
    // So does a selection that ends beside it.
    const { x, y } = await see(page, 'dialog[open] input')
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(5, 300)
    await page.mouse.up()
    expect(await typed()).toBe('Ticket shop')

    await page.goto(`${docent.url}/chat/${agent.id}/${chat.id}`)
    await click(page, 'main button[aria-haspopup=menu]', 'Actions for The lamp')
    await see(page, '[role=menu]', 'Delete')
    await page.keyboard.press('d')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Delete')
    await page.keyboard.press('Escape')

    const reply = await page.goto(`${docent.url}/nothing/here`)
    expect(reply?.status()).toBe(404)
    await see(page, 'h1, h2', 'There is no such page')

    await page.evaluate(() => localStorage.setItem('docent.language', 'ar'))
    await page.goto(`${docent.url}/drive`)
    await see(page, 'h1')
    expect(await page.evaluate(() => document.documentElement.dir)).toBe('rtl')
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    expect(trouble.filter((text) => !/404|Not Found/.test(text))).toEqual([])
  },
)

/** Id at the end of the address. The driver learns of a new one some time after the page has it. */
const lastOfPath = (page: Page): Promise<string> => page.evaluate(() => location.pathname.split('/').at(-1)!)

/** Signs in, and goes to a path. */
async function open(path: string) {
  const { page, trouble } = await openPage(browser)
  await signInWith(page, docent)
  await see(page, '#page h1')
  await page.goto(docent.url + path)
  return { page, trouble, api: new Docent({ baseUrl: docent.url, apiKey: docent.apiKey }) }
}

test.skipIf(!path)(
  `Firefox: a provider is connected, an agent built with its model and shared by a link, an answer stopped${why}`,
  async () => {
    const { page, trouble, api } = await open('/settings/models')
    await click(page, 'main button', 'Connect a provider')
    await fill(page, 'Provider', 'OpenAI-compatible')
    await fill(page, 'Address', models.openaiUrl)
    await fill(page, 'API key', 'sk-typed-in-firefox-a1b2')
    await fill(page, 'Name', 'house')
    await click(page, 'dialog[open] button', 'Test')
    await see(page, 'dialog[open]', '1 model, after')
    await click(page, 'dialog[open] button', 'Connect')
    await gone(page, 'dialog[open]')
    await see(page, 'tr', 'house/small')

    await page.goto(`${docent.url}/agents/new`)
    await fill(page, 'Name', 'Watch')
    await click(page, 'main button', 'Create agent')
    await see(page, 'h1', 'Watch')
    const id = await lastOfPath(page)
    await fill(page, 'Instructions', 'Be brief.')
    await fill(page, 'Model', 'house/small')
    await page.keyboard.press('Tab')
    await click(page, '[aria-label="Unsaved changes"] button', 'Save')
    await gone(page, '[aria-label="Unsaved changes"]')
    expect(await api.agents.get(id)).toMatchObject({ instructions: 'Be brief.', model: 'house/small' })

    says = ['It turns once ', { hang: true }]
    await page.goto(`${docent.url}/chat/${id}`)
    await click(page, 'textarea')
    await page.keyboard.type('How often does the lamp turn?')
    await page.keyboard.press('Enter')
    await see(page, 'article', 'It turns once')
    await click(page, 'button', 'Stop the answer')
    await see(page, 'article', 'This answer was stopped.')
    expect(await page.evaluate(() => document.querySelectorAll('[role=alert]:not(:empty)').length)).toBe(0)

    says = ['From nine to six.']
    await api.agents.update(id, { visibility: 'public' })
    await page.goto(`${docent.url}/agents/${id}?part=sharing`)
    await click(page, 'main button', 'New link')
    await fill(page, 'Name', 'Website')
    await click(page, 'dialog[open] button', 'Create link')
    await see(page, 'main', 'Works')
    const [link] = (await api.agents.links.list(id)).links
    const visitor = await openPage(browser)
    await visitor.page.goto(`${docent.url}/shared/${link!.token}`)
    await click(visitor.page, 'textarea')
    await visitor.page.keyboard.type('When are you open?')
    await visitor.page.keyboard.press('Enter')
    await see(visitor.page, 'article', 'From nine to six.')
    expect([...trouble, ...visitor.trouble]).toEqual([])
  },
)

test.skipIf(!path)(
  `Firefox: files are uploaded, renamed, moved, shown and found by their words, and dictation is turned on${why}`,
  async () => {
    const { page, trouble, api } = await open('/drive')
    await click(page, 'main button', 'Add')
    await click(page, '[role=menuitem]', 'New folder')
    await fill(page, 'Name', 'Papers')
    await page.keyboard.press('Enter')
    await click(page, 'main a', 'Papers')
    await see(page, 'h1', 'Papers')
    const folder = await lastOfPath(page)
    const sorted = await api.knowledgeBases.create({ knowledge_base_name: 'Sorted', parent_kb_id: folder })
    await page.goto(`${docent.url}/drive/${folder}`)
    await see(page, 'h1', 'Papers')
    await dropFile(page, 'foghorn.txt', 'The foghorn sounds twice a minute in fog.')
    await see(page, '[role=row]', 'foghorn.txt')
    await api.knowledgeBases.waitUntilIndexed(folder)

    await click(page, 'button', 'Actions for foghorn.txt')
    await click(page, '[role=menuitem]', 'Rename')
    await fill(page, 'Name', 'signals.txt')
    await page.keyboard.press('Enter')
    await click(page, 'button', 'Actions for signals.txt')
    await click(page, '[role=menuitem]', 'Move')
    await click(page, 'dialog[open] button', '1 folder in Papers')
    await click(page, 'dialog[open] label', 'Sorted')
    await click(page, 'dialog[open] button', 'Move here')
    await gone(page, 'dialog[open]')
    await page.goto(`${docent.url}/drive/${sorted.id}`)
    await click(page, 'main a', 'signals.txt')
    await see(page, 'h1', 'signals.txt')
    await see(page, 'main', 'sounds twice a minute')

    await page.keyboard.down('Control')
    await page.keyboard.press('k')
    await page.keyboard.up('Control')
    await see(page, 'dialog[open] input')
    await page.keyboard.type('foghorn twice')
    await click(page, '[role=option]', 'sounds twice a minute')
    await see(page, 'section[aria-label="Cited passage"]', 'sounds twice a minute')

    // Firefox recognises no speech by itself: a model of the workspace writes it down.
    const { workspace } = await api.me()
    const ears = { kind: 'openai-compatible' as const, base_url: models.openaiUrl, api_key: 'sk-for-speech' }
    await api.modelProviders.put(workspace.id, 'ears', ears)
    await api.modelDefaults.put(workspace.id, { transcription: 'ears/whisper-1' })
    await click(page, 'button', 'Owner')
    await click(page, '[role=menuitem]', 'Voice')
    await click(page, 'dialog[open] label', 'Dictate questions')
    await click(page, 'dialog[open] button', 'Save')
    await gone(page, 'dialog[open]')
    const { id: agent } = await api.agents.create({ name: 'Listener' })
    await page.goto(`${docent.url}/chat/${agent}`)
    await see(page, 'button', 'Dictate')
    expect(trouble).toEqual([])
  },
)
