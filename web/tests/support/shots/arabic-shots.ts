import { Docent } from '@docent/sdk'
import type { Page } from 'playwright-core'
import type { RunningDocent } from '../docent.ts'

/** The first question that a new chat offers, in any language; it comes after a search that has tried it. */
export const suggestionsOf = (page: Page) => page.locator('#page ul li button').first()

/** Visits the main pages in Arabic, from right to left. @param shoot saves the page under a name */
export async function shootArabic(
  page: Page,
  { url, apiKey }: RunningDocent,
  agentId: string,
  shoot: (name: string) => Promise<void>,
): Promise<void> {
  const docent = new Docent({ baseUrl: url, apiKey })
  const [folder] = (await docent.knowledgeBases.list()).org_knowledge_bases.filter(({ name }) => name === 'Museum')
  const [thread] = (await docent.chats.list(agentId)).chats
  await page.evaluate(() => localStorage.setItem('docent.language', 'ar'))
  const pages = {
    'new-chat': `/chat/${agentId}`,
    chat: `/chat/${agentId}/${thread!.id}`,
    drive: '/drive',
    'drive-folder': `/drive/${folder!._id}`,
    agents: '/agents',
    'agent-basics': `/agents/${agentId}`,
    threads: `/agents/${agentId}/threads`,
    inbox: '/inbox',
    people: '/people',
    'settings-keys': '/settings/keys',
    'settings-models': '/settings/models',
    'settings-usage': '/settings/usage',
  }
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(url + path)
    await page.waitForFunction(() => document.documentElement.dir === 'rtl')
    await page.waitForLoadState('networkidle')
    if (name === 'new-chat') await suggestionsOf(page).waitFor()
    await shoot(`arabic-${name}`)
  }
}
