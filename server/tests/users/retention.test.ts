import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startAsyncChat } from '../support/chats/async-chat.ts'
import { startReceiver } from '../support/http/receiver.ts'
import { shareTestApps, startTestApp } from '../support/test-app.ts'

shareTestApps()

const DAY_MS = 86_400_000

/** A data directory whose server can be started again, days later. */
async function directory() {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'docent-test-'))
  onTestFinished(() => rm(DATA_DIR, { recursive: true, force: true, maxRetries: 10 }))
  const laterBy = (days: number, settings = {}) => {
    const offset = days * DAY_MS
    return startTestApp(
      { DATA_DIR, DOCENT_OUTBOUND_ALLOW: '127.0.0.0/8', ...settings },
      { clock: () => new Date(Date.now() + offset) },
    )
  }
  return { DATA_DIR, laterBy }
}

test('deliveries that ended go after 30 days with their attempts; those on their way stay', async () => {
  const { DATA_DIR, laterBy } = await directory()
  const receiver = await startReceiver()
  const first = await startAsyncChat({ settings: { DATA_DIR, DOCENT_WEBHOOK_RETRY_DELAYS: '0' } })
  const delivered = await first.ask(receiver.url)
  const failed = await first.ask('http://127.0.0.1:1/')
  await first.delivery(delivered, { status: 'delivered' })
  await first.delivery(failed, { status: 'failed' })
  // One whose next attempt lies beyond all that follows.
  const waiting = await first.ask(receiver.url)
  await first.delivery(waiting, { status: 'delivered' })
  const change = { status: 'pending', next_attempt_at: '2999-01-01T00:00:00.000Z' } as const
  await first.services.db.updateTable('webhook_delivery').set(change).where('message_id', '=', waiting).execute()
  await first.close()

  const left = async (app: Awaited<ReturnType<typeof laterBy>>) => {
    const path = `${first.workspace}/webhook-deliveries`
    const { body } = await app.call('GET', path, undefined, { key: first.owner.apiKey })
    return body.data.deliveries.map((one: any) => one.message_id)
  }
  const almost = await laterBy(29.9)
  expect(await left(almost)).toEqual([waiting, failed, delivered])
  await almost.close()
  const forEver = await laterBy(1000, { DOCENT_WEBHOOK_LOG_DAYS: '0' })
  expect(await left(forEver)).toEqual([waiting, failed, delivered])
  await forEver.close()
  const after = await laterBy(30.1)
  await expect.poll(() => left(after)).toEqual([waiting])
  const attempts = await after.services.db.selectFrom('webhook_attempt').select('delivery_id').execute()
  expect(attempts).toHaveLength(1)
})

test('the audit log forgets after a year, or after the time that is set', async () => {
  const { DATA_DIR, laterBy } = await directory()
  const first = await startTestApp({ DATA_DIR })
  const workspace = `/workspaces/${first.owner.workspaceId}`
  await first.call('POST', `${workspace}/webhook-secret/rotate`)
  await first.close()
  const left = async (app: Awaited<ReturnType<typeof laterBy>>) => {
    const { body } = await app.call('GET', `${workspace}/audit-log`, undefined, { key: first.owner.apiKey })
    return body.data.total
  }
  const almost = await laterBy(364.9)
  expect(await left(almost)).toBe(2)
  await almost.close()
  const forEver = await laterBy(36_000, { DOCENT_AUDIT_LOG_DAYS: '0' })
  expect(await left(forEver)).toBe(2)
  await forEver.close()
  const after = await laterBy(8, { DOCENT_AUDIT_LOG_DAYS: '7' })
  await expect.poll(() => left(after)).toBe(0)
})
