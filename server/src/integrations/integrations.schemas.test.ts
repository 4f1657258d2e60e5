import { expect, test } from 'vitest'
import { masked } from './integrations.schemas.ts'

test('secrets are masked, and only they', () => {
  const config = { bucket: 'docs', secret_key: 'hush', token: null, interval_seconds: 60 }
  expect(masked(config, ['secret_key', 'token'])).toEqual({
    bucket: 'docs',
    secret_key: '••••••••',
    token: null,
    interval_seconds: 60,
  })
})
