import { describe, expect, test } from 'vitest'
import { everyRow } from '../../server/tests/support/every-row.ts'
import { api, dataOf, expectError } from '../support/api.ts'
import { whoAmI } from '../support/make.ts'
import { LARGEST_UPLOAD_BYTES } from '../support/own-server/own-server.ts'
import { testOfOwn } from '../support/tests.ts'
import { ID, uniqueEmail } from '../support/values.ts'

function form(fields: Record<string, string | Blob | undefined>): FormData {
  const made = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') made.append(name, value)
    else if (value) made.append(name, value, 'note.txt')
  }
  return made
}

const file = new Blob(['hello'])
const send = (body: unknown, headers?: Record<string, string>) => api.post('/uploaded-files', body, headers)

describe('uploading a file', () => {
  test('answers the id as the data itself', async () => {
    expect(dataOf(await send(form({ file })))).toMatch(ID)
  })

  test('the same bytes twice are two uploads', async () => {
    expect(dataOf(await send(form({ file })))).not.toBe(dataOf(await send(form({ file }))))
  })

  test('other fields are ignored', async () => {
    expect(dataOf(await send(form({ colour: 'blue', file })))).toMatch(ID)
  })

  test.each(['before', 'after'])('virtual_user_email may stand %s the file', async (where) => {
    const email = uniqueEmail()
    const fields = where === 'before' ? { virtual_user_email: email, file } : { file, virtual_user_email: email }
    dataOf(await send(form(fields)))
    const { workspace } = await whoAmI()
    const found = dataOf(await api.get(`/workspaces/${workspace.id}/virtual-users?email=${encodeURIComponent(email)}`))
    expect(found.virtual_users).toMatchObject([{ email }])
  })

  test('a wrong e-mail is 400 FILE_UPLOAD_FAILED that says so', () =>
    everyRow(
      [
        ['an empty e-mail', '', /virtual_user_email/],
        ['a blank e-mail', '  ', /virtual_user_email/],
        ['an e-mail without @', 'nobody', /virtual_user_email/],
        ['an e-mail of 255 characters', `${'a'.repeat(243)}@example.com`, /virtual_user_email/],
      ],
      async (_, virtual_user_email, message) =>
        expectError(await send(form({ file, virtual_user_email })), 400, 'FILE_UPLOAD_FAILED', message),
    ))

  test('no part named file is 400 that says so', async () => {
    expectError(await send(form({ document: file })), 400, 'FILE_UPLOAD_FAILED', /file/)
  })

  test('a form without parts is 400', async () => {
    expectError(await send(form({ note: 'x' })), 400, 'FILE_UPLOAD_FAILED')
  })

  test('an empty file is 400 that says so', async () => {
    expectError(await send(form({ file: new Blob([]) })), 400, 'FILE_UPLOAD_FAILED', /empty/)
  })

  test('two files are 400', async () => {
    const two = form({ file })
    two.append('file', file, 'second.txt')
    expectError(await send(two), 400, 'FILE_UPLOAD_FAILED', /one file/)
  })

  test('other types than multipart are 400 FILE_UPLOAD_FAILED', () =>
    everyRow(
      [
        ['JSON', '{"file":"x"}', 'application/json'],
        ['text', 'hello', 'text/plain'],
        ['bytes', 'hello', 'application/octet-stream'],
        ['a form of another kind', 'file=x', 'application/x-www-form-urlencoded'],
      ],
      async (_, body, type) =>
        expectError(await send(body, { 'content-type': type }), 400, 'FILE_UPLOAD_FAILED', /multipart/),
    ))

  test('no body at all is 400 FILE_UPLOAD_FAILED', async () => {
    expectError(await send(undefined), 400, 'FILE_UPLOAD_FAILED')
  })

  test('a body that breaks off is 400 FILE_UPLOAD_FAILED', async () => {
    const body = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhel'
    expectError(await send(body, { 'content-type': 'multipart/form-data; boundary=x' }), 400, 'FILE_UPLOAD_FAILED')
  })

  test('multipart without a boundary is 400 FILE_UPLOAD_FAILED', async () => {
    expectError(await send('--x--', { 'content-type': 'multipart/form-data' }), 400, 'FILE_UPLOAD_FAILED')
  })

  testOfOwn('a file over DOCENT_MAX_UPLOAD_BYTES is 400 FILE_UPLOAD_FAILED that names the limit', async () => {
    const tooLarge = new Blob([new Uint8Array(LARGEST_UPLOAD_BYTES + 1)])
    expectError(
      await send(form({ file: tooLarge })),
      400,
      'FILE_UPLOAD_FAILED',
      new RegExp(String(LARGEST_UPLOAD_BYTES)),
    )
  })
})
