import { expect, onTestFinished, test } from 'vitest'
import { ORGANIZATION_ID, temporaryFolder } from '../../tests/support/database/database.ts'
import { readyDatabase } from '../../tests/support/database/postgres.ts'
import { getServerSecret } from '../access/server-secret.ts'
import { toConfig } from '../config.ts'
import { createPostgresPubSub } from '../platform/cluster/pubsub/postgres-pubsub.ts'
import { createIds } from '../platform/ids.ts'
import { createLogger } from '../platform/telemetry/logger.ts'
import { withAdmin } from './context.ts'

test('processes hear at once of what a command enqueues, and not by looking', async () => {
  const listenUrl = await readyDatabase()
  const config = toConfig({ DATABASE_URL: listenUrl, DATA_DIR: await temporaryFolder() })
  await withAdmin(config, async ({ db, writes, queue }) => {
    const secret = await getServerSecret(db, 'signals')
    const logger = createLogger('error')
    const signals = await createPostgresPubSub({ db, listenUrl, secret, newId: createIds(), logger })
    onTestFinished(() => signals.close())
    const heard: string[] = []
    signals.subscribe('queue', (message) => heard.push(message))
    await writes.commit((tx) => queue.enqueue(tx, ORGANIZATION_ID, 'retrieval.remove', { dataSourceIds: [] }))
    await expect.poll(() => heard).toEqual([JSON.stringify(['retrieval.remove', 0, ORGANIZATION_ID])])
    await signals.close()
  })
})
