import { expect } from 'vitest'
import { databaseSettings } from '../database/database.ts'
import { startServerProcess } from '../processes/server-process.ts'
import { startTestApp } from '../test-app.ts'

/** Kills a server in the middle of the first sync and starts another; @returns the titles that there are at the end. */
export async function killedInTheMiddle(
  dataDir: string,
  fields: { kind: string; config: Record<string, unknown> },
): Promise<string[]> {
  const settings = { DOCENT_OUTBOUND_ALLOW: '127.0.0.1/32', DATA_DIR: dataDir, ...(await databaseSettings(dataDir)) }
  const app = await startTestApp(settings, { work: false })
  await app.close()
  const headers = { 'x-api-key': app.owner.apiKey, 'content-type': 'application/json' }
  const first = await startServerProcess(settings)
  const body = JSON.stringify({ knowledge_base_name: 'Linked', ...fields })
  const made = await fetch(`${first.url}/v1/integrations`, { method: 'POST', headers, body })
  const { id, knowledge_base_id } = ((await made.json()) as any).data
  const titles = async (url: string): Promise<string[]> => {
    const path = `/v1/knowledge-bases/${knowledge_base_id}/data-sources?recursive=true&page_size=200`
    const listed = ((await (await fetch(url + path, { headers })).json()) as any).data.data_sources as any[]
    return listed.flatMap(({ title }) => title ?? []).sort()
  }
  await expect.poll(async () => (await titles(first.url)).length, { interval: 20 }).toBeGreaterThan(8)
  await first.end('SIGKILL')
  const second = await startServerProcess(settings)
  const status = async () =>
    ((await (await fetch(`${second.url}/v1/integrations/${id}`, { headers })).json()) as any).data.status
  await expect.poll(status, { timeout: 60_000 }).toBe('idle')
  const found = await titles(second.url)
  await second.end('SIGTERM')
  return found
}
