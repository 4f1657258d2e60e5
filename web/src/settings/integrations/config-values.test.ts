import { expect, test } from 'vitest'
import { toConfig, toValues } from './config-values.ts'
import type { ConfigField } from './kinds/shared-fields.ts'

const fields: ConfigField[] = [
  { name: 'obey_access', label: '', hint: '', type: 'switch', isOn: true },
  { name: 'pages_only', label: '', hint: '', type: 'switch' },
]

test('a switch that is on by default can be taken off, and is off in a configuration that is older than it', () => {
  expect(toConfig(fields, {})).toEqual({})
  expect(toConfig(fields, { obey_access: 'false', pages_only: 'true' })).toEqual({
    obey_access: false,
    pages_only: true,
  })
  expect(toValues(fields, { obey_access: true, pages_only: false })).toEqual({
    obey_access: 'true',
    pages_only: 'false',
  })
  const older = toValues(fields, {})
  expect(older).toEqual({ obey_access: 'false' })
  expect(toConfig(fields, older, { isChange: true })).toEqual({ obey_access: false, pages_only: null })
})
