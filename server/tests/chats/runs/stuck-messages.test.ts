import { expect, test } from 'vitest'
import { withAdmin } from '../../../src/admin/context.ts'
import { examine } from '../../../src/admin/doctor/doctor.ts'
import { toConfig } from '../../../src/config.ts'
import { startAsyncChat } from '../../support/chats/async-chat.ts'
import { databaseSettings } from '../../support/database/database.ts'
import { startReceiver } from '../../support/http/receiver.ts'
import { answer } from '../../support/models/model-server.ts'

/** A message as older versions left one whose task they gave up: in progress, with nobody to answer it. */
async function startStuck() {
  const app = await startAsyncChat({ script: () => answer('Here I am.') })
  const receiver = await startReceiver()
  const id = await app.ask(receiver.url)
  await receiver.next()
  await app.delivery(id, { status: 'delivered' })
  await app.services.writes.commit(async (tx) => {
    const of = { organization_id: app.owner.organizationId }
    await tx
      .updateTable('message')
      .set({ status: 'in_progress', response: '', events: '[]', process_id: 'gone' })
      .where('organization_id', '=', of.organization_id)
      .where('id', '=', id)
      .execute()
    await tx
      .updateTable('webhook_delivery')
      .set({ status: 'waiting' })
      .where('organization_id', '=', of.organization_id)
      .where('message_id', '=', id)
      .execute()
  })
  const config = toConfig({ DATA_DIR: app.dataDir, ...(await databaseSettings(app.dataDir)) })
  const doctor = (fix: boolean) => withAdmin(config, (context) => examine(context, { fix }))
  return { ...app, id, receiver, doctor, message: `${app.path}/message/${id}` }
}

test('a message that nobody answers any more can be cancelled, and its webhook says so', async () => {
  const { call, message, receiver, doctor } = await startStuck()
  expect(await doctor(false)).toMatchObject({ healthy: false, stuck_messages: 1 })
  const cancelled = await call('POST', `${message}/cancel`)
  expect(cancelled.body.data).toMatchObject({ ai_resolution_status: 'completed', error_message: 'cancelled' })
  expect(JSON.parse((await receiver.next()).body)).toMatchObject({ status: 'error', error_message: 'cancelled' })
  expect(await doctor(false)).toMatchObject({ healthy: true, stuck_messages: 0 })
})

test('the doctor finds a message that nobody answers any more, and has it answered', async () => {
  const { call, message, receiver, doctor, services, owner } = await startStuck()
  expect(await doctor(true)).toMatchObject({ healthy: false, fixed: true, stuck_messages: 1 })
  expect(await doctor(false)).toMatchObject({ healthy: true, stuck_messages: 0 })
  // The embedded queue of a running server looks for tasks of other processes once a minute, or with one of its own.
  const unknown = { messageId: '0'.repeat(24) }
  await services.writes.commit((tx) => services.queue.enqueue(tx, owner.organizationId, 'chats.answer', unknown))
  expect(JSON.parse((await receiver.next()).body)).toMatchObject({
    status: 'success',
    data: { response: 'Here I am.' },
  })
  expect((await call('GET', message)).body.data).toMatchObject({
    ai_resolution_status: 'completed',
    error_message: null,
  })
})
