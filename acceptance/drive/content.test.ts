import { describe, expect, test } from 'vitest'
import { everyRow } from '../../server/tests/support/every-row.ts'
import { api, dataOf, expectError } from '../support/api.ts'
import { makeFolder, upload } from '../support/make.ts'
import { freshId } from '../support/values.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

async function fileOf(content: string | Uint8Array, name: string) {
  const folder = await makeFolder()
  const fields = { file_id: await upload(content, name), data_source_title: name, trigger_indexing: false }
  const file = dataOf(await api.post(`/knowledge-bases/${folder.id}/data-sources/documents`, fields))
  return { folder, file, path: `/knowledge-bases/${folder.id}/data-sources/${file._id}/content` }
}

describe('the bytes of a file', () => {
  test('come as they were uploaded, under their own media type', async () => {
    const { path } = await fileOf('zwölf 🦩', 'birds.md')
    const reply = await api.get(path)
    expect([reply.status, reply.text]).toEqual([200, 'zwölf 🦩'])
    expect(reply.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(reply.headers.get('content-disposition')).toMatch(/^inline; filename="birds.md"/)
    expect(reply.headers.get('content-length')).toBe(String(Buffer.byteLength('zwölf 🦩')))
    expect(reply.headers.get('accept-ranges')).toBe('bytes')
  })

  const UTF_16 = Buffer.from('\ufeffzwölf', 'utf16le')
  test.each([
    ['note.txt', 'zwölf', 'text/plain; charset=utf-8'],
    // A character of two bytes lies across the end of what is looked at.
    ['long.csv', `a${'ö'.repeat(40_000)}`, 'text/csv; charset=utf-8'],
    ['page.html', '<p>zwölf</p>', 'text/html; charset=utf-8'],
    ['western.txt', Buffer.from('zwölf', 'latin1'), 'text/plain'],
    ['windows.txt', UTF_16, 'text/plain'],
    ['picture.png', PNG, 'image/png'],
  ])('of %s name their encoding where they are text in UTF-8', async (name, content, contentType) => {
    const { path } = await fileOf(content, name)
    expect((await api.get(path)).headers.get('content-type')).toBe(contentType)
    const part = await api.get(path, undefined, { range: 'bytes=-1' })
    expect([part.status, part.headers.get('content-type')]).toEqual([206, contentType])
  })

  test.each([
    ['page.html', '<!doctype html><script>alert(1)</script>', 'attachment'],
    ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'attachment'],
    ['page.xhtml', '<html xmlns="http://www.w3.org/1999/xhtml"/>', 'attachment'],
    ['code.js', 'alert(1)', 'attachment'],
    ['picture.png', PNG, 'inline'],
    ['note.txt', 'plain', 'inline'],
  ])('of %s run nothing in the place of this server', async (name, content, disposition) => {
    const { path } = await fileOf(content, name)
    const { headers } = await api.get(path)
    expect(headers.get('content-disposition')).toMatch(new RegExp(`^${disposition};`))
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox/)
  })

  test.each([
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=-2', 206, '89', 'bytes 8-9/10'],
    ['bytes=7-99', 206, '789', 'bytes 7-9/10'],
    ['bytes=4-2', 200, '0123456789', null],
    ['bytes=0-1,4-5', 200, '0123456789', null],
  ])('asked for with range %s are %i', async (range, status, text, contentRange) => {
    const { path } = await fileOf('0123456789', 'digits.txt')
    const reply = await api.get(path, undefined, { range })
    expect([reply.status, reply.text, reply.headers.get('content-range')]).toEqual([status, text, contentRange])
  })

  test('behind the end there are none: 416 says how many there are', async () => {
    const { path } = await fileOf('0123456789', 'digits.txt')
    const reply = await api.get(path, undefined, { range: 'bytes=10-' })
    expectError(reply, 416, 'RANGE_NOT_SATISFIABLE')
    expect(reply.headers.get('content-range')).toBe('bytes */10')
  })

  test('that one has already are not sent again', async () => {
    const { path } = await fileOf('same', 'same.txt')
    const etag = (await api.get(path)).headers.get('etag')!
    const again = await api.get(path, undefined, { 'if-none-match': etag })
    expect([again.status, again.text, again.headers.get('content-type')]).toEqual([304, '', null])
    const other = await api.get(path, undefined, { 'if-none-match': '"other"' })
    expect(other.status).toBe(200)
    const part = await api.get(path, undefined, { range: 'bytes=0-0', 'if-range': '"other"' })
    expect([part.status, part.text]).toEqual([200, 'same'])
  })

  test('of a file that is not there, or not in that folder, are 404', async () => {
    const { folder, file } = await fileOf('x', 'x.txt')
    const elsewhere = await makeFolder()
    const paths = [
      `/knowledge-bases/${folder.id}/data-sources/${freshId()}/content`,
      `/knowledge-bases/${elsewhere.id}/data-sources/${file._id}/content`,
    ]
    for (const path of paths) expectError(await api.get(path), 404, 'DATA_SOURCE_NOT_FOUND')
  })
})

describe('a file by its id alone', () => {
  test('is reported with the folder that it is in now', async () => {
    const { folder, file } = await fileOf('x', 'x.txt')
    expect(dataOf(await api.get(`/data-sources/${file._id}`))).toMatchObject({ knowledge_base_id: folder.id })
    const target = await makeFolder()
    await api.patch(`/knowledge-bases/${folder.id}/data-sources/${file._id}`, { knowledge_base_id: target.id })
    expect(dataOf(await api.get(`/data-sources/${file._id}`))).toMatchObject({ knowledge_base_id: target.id })
    await api.delete(`/knowledge-bases/${target.id}`)
    expectError(await api.get(`/data-sources/${file._id}`), 404, 'DATA_SOURCE_NOT_FOUND')
  })

  test('an id that is not there is 404', () =>
    everyRow(['nonsense', '0123456789abcdef01234567'], async (id) =>
      expectError(await api.get(`/data-sources/${id}`), 404, 'DATA_SOURCE_NOT_FOUND'),
    ))
})
