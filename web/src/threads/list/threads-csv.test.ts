import type { Thread } from '@docent/sdk'
import { expect, test } from 'vitest'
import { toCsv } from './threads-csv.ts'

const thread = (fields: Partial<Thread>): Thread => ({
  id: '6b011eeaf72b366c25bef04c',
  title: 'Kilns',
  chat_type: 'standard',
  agent_id: '6b011eeaf72b366c25bef04d',
  created_at: '2026-05-10T12:00:00.000Z',
  metadata: {},
  project_id: null,
  is_archived: false,
  is_pinned: false,
  last_message_at: null,
  message_count: 2,
  total_tokens: 90,
  status: 'completed',
  feedback: { up: 1, down: 0 },
  virtual_users: [],
  virtual_user_count: 0,
  ...fields,
})

test('a line a thread, a column a metadata key of any of them', () => {
  const csv = toCsv([thread({ metadata: { team: 'clay' } }), thread({ title: 'a, "b"', metadata: { floor: '2' } })])
  const [head, first, second, end] = csv.split('\r\n')
  expect(head).toMatch(/^id,title,chat_type,.*,metadata\.floor,metadata\.team$/)
  expect(first).toMatch(/^6b011eeaf72b366c25bef04c,Kilns,standard,completed,,0,2,90,1,0,.*,,,clay$/)
  expect(second).toContain('"a, ""b""",standard')
  expect(end).toBe('')
})

test('no title becomes a formula in a spreadsheet', () => {
  const csv = toCsv([thread({ title: '=HYPERLINK("http://x")', metadata: { note: '@sum' } })])
  expect(csv).toContain(`"'=HYPERLINK(""http://x"")"`)
  expect(csv).toContain(",'@sum\r\n")
})
