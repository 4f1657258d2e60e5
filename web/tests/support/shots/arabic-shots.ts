import { Docent } from '@docent/sdk'
import type { Page } from 'playwright-core'
import type { RunningDocent } from '../docent.ts'

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
    await shoot(`arabic-${name}`)
  }
}
