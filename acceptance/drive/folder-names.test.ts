import { describe, expect, test } from 'vitest'
import { everyRow } from '../../server/tests/support/every-row.ts'
import { api, dataOf, expectError } from '../support/api.ts'
import { makeFolder } from '../support/make.ts'
import { unique } from '../support/values.ts'

describe('names of folders', () => {
  test('names in one location that differ in case or form conflict with 409, and the first keeps its spelling', () =>
    everyRow(
      [
        ['the same name', 'Plans', 'Plans'],
        ['another case', 'Plans', 'pLANS'],
        ['another Unicode form', 'Caf\u00e9', 'Cafe\u0301'],
        ['a letter that is two in capitals', 'Straße', 'STRASSE'],
        ['a sigma at the end', 'ΟΔΟΣ', 'οδος'],
        ['blanks around it', 'Plans', '  Plans '],
      ],
      async (_, first, second) => {
        const parent = await makeFolder()
        await makeFolder({ parent_kb_id: parent.id, knowledge_base_name: first })
        const body = { parent_kb_id: parent.id, knowledge_base_name: second }
        expectError(await api.post('/knowledge-bases', body), 409, 'KNOWLEDGE_BASE_NAME_CONFLICT')
        const { org_knowledge_bases } = dataOf(await api.get(`/knowledge-bases?parent_kb_id=${parent.id}`))
        expect(org_knowledge_bases.map(({ name }: any) => name)).toEqual([first])
      },
    ))

  test('the same name at the root conflicts too', async () => {
    const { name } = await makeFolder()
    const reply = await api.post('/knowledge-bases', { knowledge_base_name: name })
    expectError(reply, 409, 'KNOWLEDGE_BASE_NAME_CONFLICT')
  })

  test('the same name in another location is no conflict', async () => {
    const { id, name } = await makeFolder()
    expect((await makeFolder({ parent_kb_id: id, knowledge_base_name: name })).name).toBe(name)
  })

  test('a deleted folder gives its name free', async () => {
    const { id, name } = await makeFolder()
    await api.delete(`/knowledge-bases/${id}`)
    await makeFolder({ knowledge_base_name: name.toUpperCase() })
  })

  test('of 20 equal creations at once one is made', async () => {
    const body = { knowledge_base_name: unique() }
    const replies = await Promise.all(Array.from({ length: 20 }, () => api.post('/knowledge-bases', body)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
  })

  test('a rename into a taken name is 409', async () => {
    const [one, two] = [await makeFolder(), await makeFolder()]
    const reply = await api.patch(`/knowledge-bases/${one.id}`, { knowledge_base_name: two.name.toUpperCase() })
    expectError(reply, 409, 'KNOWLEDGE_BASE_NAME_CONFLICT')
  })

  test('a folder may get its own name in another case', async () => {
    const { id, name } = await makeFolder()
    const renamed = dataOf(await api.patch(`/knowledge-bases/${id}`, { knowledge_base_name: name.toUpperCase() }))
    expect(renamed.name).toBe(name.toUpperCase())
  })
})
