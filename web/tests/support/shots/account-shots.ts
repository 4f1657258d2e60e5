import { Docent } from '@docent/sdk'
import type { Page } from 'playwright-core'
import type { RunningDocent } from '../docent.ts'
import { PAGES_OF_AN_ACCOUNT, pagesWithoutSession } from '../every-page.ts'
import { join } from '../joined.ts'

type Shoot = (name: string) => Promise<void>

/** Visits the pages that need no session, then joins under a name and visits those of an account. */
export async function shootAccounts(page: Page, server: RunningDocent, name: string, shoot: Shoot): Promise<void> {
  const docent = new Docent({ baseUrl: server.url, apiKey: server.apiKey })
  await page.context().clearCookies()
  const { 'sign-in': _, ...doors } = await pagesWithoutSession(docent)
  await shootEach(page, server.url, doors, shoot)
  await join({ page }, { url: server.url, docent }, name)
  await shootEach(page, server.url, PAGES_OF_AN_ACCOUNT, shoot)
}

async function shootEach(page: Page, url: string, pages: Record<string, string>, shoot: Shoot): Promise<void> {
  for (const [name, path] of Object.entries(pages)) {
    // Between addresses that differ by their fragment alone a browser loads nothing.
    await page.goto('about:blank')
    await page.goto(url + path, { waitUntil: 'networkidle' })
    await page.locator('h1, h2').filter({ visible: true }).first().waitFor()
    await shoot(name.replaceAll(' ', '-'))
  }
}

/** Opens what lies over a page: the search, and who has rights to a folder and to an agent. */
export async function shootOverlays(page: Page, url: string, agentId: string, shoot: Shoot): Promise<void> {
  const main = page.getByRole('main')
  await page.goto(`${url}/drive`)
  await main.getByRole('button', { name: 'Actions for Museum' }).click()
  await page.getByRole('menuitem', { name: 'Who can see it' }).click()
  await page.getByRole('list', { name: 'Who can see it' }).getByRole('listitem').first().waitFor()
  await shoot('drive-rights')
  await page.goto(`${url}/agents/${agentId}?part=sharing`)
  await main.getByRole('button', { name: 'Who can use it' }).click()
  await page.getByRole('list', { name: 'Who can use it' }).getByRole('listitem').first().waitFor()
  await shoot('agent-rights')
  await page.goto(`${url}/chats`)
  for (const part of ['Archived', 'Pinned answers', 'Shared chats']) {
    await main.getByRole('link', { name: part }).click()
    await page.waitForLoadState('networkidle')
    await shoot(`chats-${part.split(' ')[0]!.toLowerCase()}`)
  }
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Search' })
  await palette.getByRole('combobox').fill('school')
  await palette.getByRole('group', { name: 'In the documents' }).getByRole('option').first().waitFor()
  await shoot('search')
}
