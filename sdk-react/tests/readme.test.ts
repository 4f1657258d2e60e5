import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Docent } from '@docent/sdk'
import type { Browser } from 'playwright-core'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startTestApp } from '../../server/tests/support/test-app.ts'
import { launchBrowser } from '../../web/tests/support/browser.ts'

const ENTRY = join(import.meta.dirname, 'entry.tsx')
const COMPONENT = join(import.meta.dirname, 'component.tsx')
const SHOW = `
import { createRoot } from 'react-dom/client'
import { Chat } from './component.tsx'
const place = document.body.appendChild(document.createElement('div'))
createRoot(place).render(<Chat agentId={globalThis.agentId} />)`

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

/** Script that shows the component of the README, which speaks to a server of the test's. */
async function bundle(url: string): Promise<string> {
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
  const component = /```tsx\n(.*?)```/s.exec(readme)![1]!.replaceAll('https://docent.example', url)
  const sources = new Map([
    [ENTRY, SHOW],
    [COMPONENT, component],
  ])
  const made = await rolldown({
    input: ENTRY,
    platform: 'browser',
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    plugins: [
      {
        name: 'readme',
        resolveId: (id) => (id === './component.tsx' ? COMPONENT : sources.has(id) ? id : null),
        load: (id) => sources.get(id),
      },
    ],
  })
  const { output } = await made.generate({ format: 'iife', codeSplitting: false })
  await made.close()
  return output[0].code
}

test('the component of the README asks, and shows the answer with its source', async () => {
  const { url, owner } = await startTestApp()
  const client = new Docent({ baseUrl: url, apiKey: owner.apiKey })
  const folder = await client.knowledgeBases.create({ knowledge_base_name: 'Workshop' })
  const file_id = await client.files.upload(new Blob(['The kiln fires at 1240 degrees.']), { name: 'kiln.txt' })
  await client.dataSources.add(folder.id, { file_id, data_source_title: 'kiln.txt' })
  await client.knowledgeBases.waitUntilIndexed(folder.id)
  const agent = await client.agents.create({ name: 'Potter', knowledge_base_ids: [folder.id] })

  const page = await browser.newPage()
  onTestFinished(() => page.close())
  await page.route('**/docent-token', async (route) => {
    const { token } = await client.userTokens.create({
      virtual_user_email: 'ada@example.com',
      agent_ids: [agent.id],
    })
    await route.fulfill({ body: token })
  })
  await page.goto(`${url}/healthz`)
  await page.evaluate((agentId) => Object.assign(globalThis, { agentId }), agent.id)
  await page.evaluate(await bundle(url))
  await page.locator('input[name=question]').fill('At how many degrees does the kiln fire?')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.locator('article').innerText()).toMatch(/^At how many .*1240.*\[1\] kiln\.txt/s)
})
