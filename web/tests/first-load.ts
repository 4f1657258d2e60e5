// npm run first-load -w web: compressed size of each page's first visit, in kB as the browser received it.
import { Docent } from '@docent/sdk'
import { launchBrowser } from './support/browser.ts'
import { startDocent } from './support/docent.ts'
import { everyPage } from './support/every-page.ts'
import { measureFirstLoad } from './support/measures/first-load.ts'
import { enterKey } from './support/signed-in.ts'
import { visit } from './support/visitor.ts'

const server = await startDocent({ DOCENT_SAMPLE: 'false' })
const browser = await launchBrowser()
try {
  const docent = new Docent({ baseUrl: server.url, apiKey: server.apiKey })
  const pages = await everyPage(docent)
  const { page } = await visit(browser, server.url)
  const door = await page.context().storageState()
  await enterKey(page, server.apiKey)
  await page.locator('#page').waitFor()
  const session = await page.context().storageState()
  const rows: Record<string, Record<string, number>> = {}
  for (const [name, path] of [['the door', '/'], ...Object.entries(pages)] as const) {
    const { script, style, font } = await measureFirstLoad(
      browser,
      server.url,
      path,
      name === 'the door' ? door : session,
    )
    rows[name] = { script: kB(script), style: kB(style), fonts: kB(font), together: kB(script + style + font) }
  }
  console.table(rows)
} finally {
  await browser.close()
  await server.stop()
}

function kB(bytes: number): number {
  return Math.round(bytes / 1000)
}
