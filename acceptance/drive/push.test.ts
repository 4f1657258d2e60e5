import { expect, test } from 'vitest'
import { api, dataOf, expectError } from '../support/api.ts'
import { makeFolder } from '../support/make.ts'
import { anId } from '../support/values.ts'
import { until } from '../support/wait.ts'

test('a file pushed under an id of another system is found, keeps its id when replaced, and goes', async () => {
  const folder = await makeFolder()
  const base = `/knowledge-bases/${folder.id}/data-sources`
  const path = `${base}/by-external-id/${encodeURIComponent('wiki/page 7')}`
  const page = { title: 'Heron.md', text: 'The heron eats frogs.', updated_at: '2026-05-01T10:00:00Z' }
  const made = await api.put(path, page)
  expect(made.body).toMatchObject({ outcome: 'created', data: { id: anId, external_id: 'wiki/page 7' } })
  const { id } = dataOf(made)
  await until('indexed', async () => dataOf(await api.get(path)).status === 'successful')
  expect((await api.put(path, page)).body.outcome).toBe('unchanged')
  expect((await api.put(path, { ...page, text: 'The heron eats fish.' })).body).toMatchObject({
    outcome: 'replaced',
    data: { id },
  })
  const older = { ...page, text: 'Old', updated_at: '2026-04-01T10:00:00Z' }
  expectError(await api.put(path, older), 409, 'DATA_SOURCE_OUTDATED')
  const { items } = dataOf(
    await api.post(`${base}/batch`, {
      items: [
        { external_id: 'wiki/page 7', ...older },
        { external_id: 'two', title: 'Two', text: 'Two herons.' },
        { external_id: 'wiki/page 7', delete: true },
      ],
    }),
  )
  expect(items.map((item: any) => item.outcome ?? item.error.error_code)).toEqual([
    'DATA_SOURCE_OUTDATED',
    'created',
    'deleted',
  ])
  expectError(await api.get(path), 404, 'DATA_SOURCE_NOT_FOUND')
  expectError(await api.put(path, { title: 'x' }), 400, 'VALIDATION_ERROR')
  expect((await api.delete(`${base}/by-external-id/two`)).body.message).toBe('1 data source deleted')
})
