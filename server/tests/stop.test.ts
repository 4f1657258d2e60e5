import { expect, test } from 'vitest'
import { gate } from './support/many-processes.ts'
import { answer } from './support/model-server.ts'
import { startRestartable } from './support/restartable.ts'

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
