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
  /** Role in the workspace. Default: member. */
  role?: 'admin'
}

/** Invites somebody and accepts by the API call of the invitation's page, which signs the window in. */
export async function join(
  window: Pick<Visitor, 'page'>,
  { url, docent, role }: Omit<Place, 'browser'>,
  name: string,
  groupIds: string[] = [],
): Promise<void> {
  const email = `${name.toLowerCase()}@example.com`
  const invitation = await docent.invitations.create({ email, role, group_ids: groupIds })
  const token = new URL(invitation.url).hash.slice(1)
  const person = { token, email, name, password: 'seven kilns glaze at dusk' }
  await beginSession(window, `${url}/v1/invitations/accept`, person)
}

/** Browser window of somebody who has just joined by an invitation, by the API call of its page; it is closed when the test has ended. */
export async function joined({ browser, url, docent }: Place, name: string, groupIds: string[] = []): Promise<Visitor> {
  const visitor = await openWindow(browser, url)
  onTestFinished(visitor.leave)
  await join(visitor, { url, docent }, name, groupIds)
  await visitor.page.goto(url)
  await visitor.page.getByRole('navigation', { name: 'Sections' }).waitFor()
  return visitor
}
