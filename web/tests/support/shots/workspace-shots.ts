import type { Page } from 'playwright-core'

/** Visits every page about a workspace. @param shoot saves the page under a name */
export async function shootWorkspace(
  page: Page,
  { url, agentId }: { url: string; agentId: string },
  shoot: (name: string) => Promise<void>,
): Promise<void> {
  const to = (path: string) => page.goto(url + path)
  await to(`/agents/${agentId}/threads`)
  await page.getByRole('region', { name: 'Threads' }).waitFor()
  await shoot('threads')
  await page.getByRole('link', { name: 'When can I bring a school class' }).first().click()
  await page.getByText('Run details').click()
  await page.getByRole('heading', { name: 'Tools' }).scrollIntoViewIfNeeded()
  await shoot('thread')

  await to('/inbox')
  await page.getByRole('article').first().waitFor()
  await shoot('inbox')

  await to('/people')
  await page.getByRole('link', { name: 'Ines Okafor' }).waitFor()
  await shoot('people')
  await page.getByRole('link', { name: 'Ines Okafor' }).click()
  await page.getByRole('region', { name: 'Chats of this person' }).waitFor()
  await shoot('person')

  await to('/settings/keys')
  await page.getByRole('region', { name: 'API keys' }).waitFor()
  await shoot('settings-keys')
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByRole('dialog').waitFor()
  await shoot('settings-new-key')
  await to('/settings/webhooks')
  await page.getByText('The receiver answered 503').waitFor()
  await shoot('settings-webhooks')
  await page.getByRole('button', { name: /down$/ }).click()
  await page.getByText('The ticket shop is being updated').first().waitFor()
  await shoot('settings-delivery')
  await to('/settings/integrations')
  await page.getByText('In sync', { exact: true }).waitFor()
  await shoot('settings-integrations')
  await to('/settings/usage')
  await page.getByRole('region', { name: 'Usage by Agent' }).waitFor()
  await shoot('settings-usage')
  await to('/settings/quotas')
  await page.getByRole('row').filter({ hasText: 'Ines' }).waitFor()
  await shoot('settings-quotas')
  await page.getByRole('button', { name: 'New quota' }).click()
  await page.getByRole('dialog').waitFor()
  await shoot('settings-new-quota')
  await to('/settings/audit-log')
  await page.getByRole('region', { name: 'Audit log' }).waitFor()
  await shoot('settings-audit-log')
  await to('/settings/streaming')
  await page.getByRole('button', { name: 'Test' }).waitFor()
  await shoot('settings-streaming')
}
