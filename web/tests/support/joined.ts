import type { Docent } from '@docent/sdk'
import type { Browser } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { beginSession } from './signed-in.ts'
import { openWindow, type Visitor } from './visitor.ts'

interface Place {
  browser: Browser
  url: string
  /** Client with the rights of an admin. */
  docent: Docent
}

/** Browser window of somebody who has just joined by an invitation, by the API call of its page; it is closed when the test has ended. */
export async function joined({ browser, url, docent }: Place, name: string, groupIds: string[] = []): Promise<Visitor> {
  const email = `${name.toLowerCase()}@example.com`
  const invitation = await docent.invitations.create({ email, group_ids: groupIds })
  const visitor = await openWindow(browser, url)
  onTestFinished(visitor.leave)
  const token = new URL(invitation.url).hash.slice(1)
  const person = { token, email, name, password: 'seven kilns glaze at dusk' }
  await beginSession(visitor, `${url}/v1/invitations/accept`, person)
  await visitor.page.goto(url)
  await visitor.page.getByRole('navigation', { name: 'Sections' }).waitFor()
  return visitor
}
