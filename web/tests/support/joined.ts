import type { Docent } from '@docent/sdk'
import type { Browser } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { type Visitor, visit } from './visitor.ts'

interface Place {
  browser: Browser
  url: string
  /** Client with the rights of an admin. */
  docent: Docent
}

/** Browser window of somebody who has just joined by an invitation; it is closed when the test has ended. */
export async function joined({ browser, url, docent }: Place, name: string, groupIds: string[] = []): Promise<Visitor> {
  const email = `${name.toLowerCase()}@example.com`
  const invitation = await docent.invitations.create({ email, group_ids: groupIds })
  const visitor = await visit(browser, url)
  onTestFinished(visitor.leave)
  const { page } = visitor
  await page.goto(invitation.url)
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Password', { exact: true }).fill('seven kilns glaze at dusk')
  await page.getByRole('button', { name: 'Join', exact: true }).click()
  await page.getByRole('navigation', { name: 'Sections' }).waitFor()
  return visitor
}
