import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/database/database.ts'
import { answer } from '../support/models/model-server.ts'
import { gate } from '../support/processes/many-processes.ts'
import { startRestartable } from '../support/processes/restartable.ts'
import { startServerProcess } from '../support/processes/server-process.ts'

test.each(['SIGTERM', 'SIGINT'] as const)('a second %s ends the server at once', async (signal) => {
  const { first, path, model } = await startRestartable(() => answer('Still ', { until: gate().isOpen }, 'here'), {
    settings: { LOG_LEVEL: 'silent' },
  })
  await first.call('POST', `${path}/async_query`, { query: 'Hello?', webhook_url: 'https://example.com/' })
  await expect.poll(() => model.requests.length).toBe(1)
  const ended = first.end(signal)
  const isReady = () =>
    fetch(`${first.url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  await expect.poll(isReady).toBe(false)
  // With 0 it would have ended by itself, once the run had had its time.
  expect(await first.end(signal)).toBe(1)
  expect(await ended).toBe(1)
})

test('below npm the copy of a signal that npm passes on does not count', async () => {
  const server = await startServerProcess({ DATA_DIR: await temporaryFolder(), npm_lifecycle_event: 'start' })
  const ended = server.end('SIGINT')
  expect(await server.end('SIGTERM')).toBe(0)
  expect(await ended).toBe(0)
})
