import { Docent } from '@docent/sdk'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answer, type ModelServer, startModelServer } from '../../../server/tests/support/models/model-server.ts'
import { launchBrowser } from '../support/browser.ts'
import { type RunningDocent, startDocent } from '../support/docent.ts'
import { signedIn } from '../support/signed-in.ts'

let models: ModelServer
let docent: RunningDocent
let browser: Browser
let owner: Docent

beforeAll(async () => {
  models = await startModelServer({
    script: ({ path }) =>
      path.endsWith('/audio/transcriptions')
        ? { status: 200, body: { text: 'How long is the refund period?' } }
        : answer('Die Frist beträgt **14 Tage**, und der Antrag ist schriftlich zu stellen.'),
  })
  docent = await startDocent({
    DOCENT_OUTBOUND_ALLOW: '127.0.0.1/32',
    OPENAI_COMPATIBLE_BASE_URL: models.openaiUrl,
    DOCENT_MODEL: 'openai-compatible/scripted',
  })
  browser = await launchBrowser()
  owner = new Docent({ baseUrl: docent.url, apiKey: docent.apiKey })
}, 180_000)

afterAll(async () => {
  await browser?.close()
  await docent?.stop()
  await models?.close()
})

/** Replaces what is the browser's: its recognition, its voices, and its microphone by a tone. */
const standIns = (hasRecognition: boolean) => {
  const page = window as any
  page.spoken = []
  class Recognizer extends EventTarget {
    start() {
      page.recognizer = this
    }
    stop() {
      ;(this as any).onend()
    }
    abort() {
      ;(this as any).onend()
    }
  }
  page.webkitSpeechRecognition = page.SpeechRecognition = hasRecognition ? Recognizer : undefined
  page.SpeechSynthesisUtterance = class extends EventTarget {
    text: string
    constructor(text: string) {
      super()
      this.text = text
    }
  }
  Object.defineProperty(window, 'speechSynthesis', {
    value: {
      getVoices: () => [{ lang: 'en-US' }, { lang: 'de-DE' }],
      speak: (utterance: any) => page.spoken.push({ text: utterance.text, lang: utterance.lang }),
      cancel: () => page.spoken.push('cancel'),
    },
  })
  navigator.mediaDevices.getUserMedia = async () => {
    const context = new AudioContext()
    const out = context.createMediaStreamDestination()
    const tone = context.createOscillator()
    tone.connect(out)
    tone.start()
    return out.stream
  }
}

/** Opens a chat in a browser with or without recognition of its own. */
async function open(hasRecognition: boolean) {
  const [agent] = (await owner.agents.list()).agents
  const visitor = await signedIn(browser, docent, { path: `/chat/${agent!.id}` })
  const { page } = visitor
  await page.addInitScript(standIns, hasRecognition)
  await page.reload()
  const box = page.getByRole('textbox', { name: /Your question/ })
  await box.waitFor()
  return { ...visitor, box, dictate: page.getByRole('button', { name: 'Dictate' }) }
}

async function turnOn(page: Page, ...names: string[]) {
  await page.getByRole('button', { name: /Owner$/ }).click()
  await page.getByRole('menuitem', { name: 'Voice' }).click()
  const dialog = page.getByRole('dialog')
  for (const name of names) await dialog.getByLabel(name).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
}

test('nothing of voice is there or loaded until it is turned on; then a question is dictated and its answer read', async () => {
  const { page, box, dictate, expectNoTrouble, expectAccessible } = await open(true)
  const loaded = () =>
    page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => name)
        .join(' '),
    )
  expect(await dictate.count()).toBe(0)
  expect(await loaded()).not.toContain('speech.pages')
  await turnOn(page, 'Dictate questions', 'Read answers aloud')

  await box.fill('First,')
  await dictate.click()
  await page.getByRole('button', { name: 'Stop dictating' }).waitFor()
  await expectAccessible()
  await page.evaluate(() => {
    const said = Object.assign([{ transcript: ' what is the period' }], { isFinal: true })
    ;(window as any).recognizer.onresult({ resultIndex: 0, results: [said] })
  })
  expect(await box.inputValue()).toBe('First, what is the period')
  await page.getByRole('button', { name: 'Stop dictating' }).click()
  await dictate.waitFor()
  await box.press('Enter')

  await page.getByRole('button', { name: 'Read aloud' }).click()
  await page.getByRole('button', { name: 'Stop reading' }).click()
  await page.getByRole('button', { name: 'Read aloud' }).waitFor()
  expect(await page.evaluate(() => (window as any).spoken)).toEqual([
    'cancel',
    { text: 'Die Frist beträgt 14 Tage, und der Antrag ist schriftlich zu stellen.', lang: 'de-DE' },
    'cancel',
  ])
  await expectAccessible()
  expectNoTrouble()
})

test('without recognition of its own the browser records, and the provider of the workspace writes it down', async () => {
  const { page, box, dictate, expectNoTrouble } = await open(false)
  const { workspace } = await owner.me()
  const isSetUp = page.waitForResponse((response) => response.url().endsWith('/v1/transcription'))
  await turnOn(page, 'Dictate questions')
  expect(await (await isSetUp).json()).toMatchObject({ data: { is_available: false } })
  await box.click()
  expect(await dictate.count()).toBe(0)

  await page.goto(`${docent.url}/settings/models`)
  await page.getByRole('combobox', { name: 'Speech' }).fill('openai-compatible/whisper-1')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The defaults were saved').waitFor()
  expect(await owner.modelDefaults.get(workspace.id)).toMatchObject({ transcription: 'openai-compatible/whisper-1' })

  await page.goBack()
  await box.waitFor()
  await dictate.click()
  const before = models.requests.length
  // Nothing was said in no time: the recorder needs a moment of sound.
  await page.getByRole('button', { name: 'Stop dictating' }).waitFor()
  await page.waitForTimeout(500)
  await page.getByRole('button', { name: 'Stop dictating' }).click()
  await expect.poll(() => box.inputValue(), { timeout: 20_000 }).toBe('How long is the refund period?')
  const { body } = models.requests[before]!
  expect(body.get('model')).toBe('whisper-1')
  expect(body.get('file').name).toMatch(/^speech\.(webm|ogg|mp4)$/)
  expect(body.get('file').size).toBeGreaterThan(100)
  expectNoTrouble()
})
