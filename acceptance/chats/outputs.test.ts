import { beforeAll, describe, expect } from 'vitest'
import { api, dataOf, expectError, request } from '../support/api.ts'
import { newConversation } from '../support/make.ts'
import { target } from '../support/target.ts'
import { scripted as test } from '../support/tests.ts'

let talk: Awaited<ReturnType<typeof newConversation>>
let id: string
let links: string[]

const create = (name: string, content: string) => `call create_file ${JSON.stringify({ name, content })}`
/** Links name the server as it knows itself; the suite asks it where it found it. */
const open = (link: string) => {
  const { pathname, search } = new URL(link)
  return request('GET', pathname + search)
}
const linksOf = async (messageId: string): Promise<Record<string, string>> =>
  (await talk.message(messageId, '?downloadable_output=true')).downloadable_output

beforeAll(async () => {
  if (!target.model) return
  talk = await newConversation({ tools: ['create_file'] })
  const query = [create('report.md', '# Zwölf 🦩'), create('data.csv', 'a,b\n1,2\n'), 'say Done'].join('\n')
  id = (await talk.answer(query)).message_id
  links = Object.values(await linksOf(id))
})

describe('downloadable_output', () => {
  test('maps a short key to a link for each file that a tool made', async () => {
    const output = await linksOf(id)
    expect(Object.keys(output)).toHaveLength(2)
    for (const [key, link] of Object.entries(output)) {
      expect(key.length).toBeLessThan(40)
      expect(URL.canParse(link)).toBe(true)
    }
  })

  test('is not in Get message unless it is asked for', async () => {
    expect(await talk.message(id)).not.toHaveProperty('downloadable_output')
  })

  test('is in the history', async () => {
    const { messages } = dataOf(await api.get(`${talk.path}/messages`))
    expect(Object.keys(messages[0].downloadable_output)).toHaveLength(2)
  })
})

describe('a download link', () => {
  test('works without an API key', async () => {
    expect((await open(links[0]!)).status).toBe(200)
  })

  test('gives the file byte for byte', async () => {
    expect((await Promise.all(links.map(open))).map(({ text }) => text)).toEqual(['# Zwölf 🦩', 'a,b\n1,2\n'])
  })

  test('serves it as an attachment under its name', async () => {
    expect((await open(links[0]!)).headers.get('content-disposition')).toMatch(/^attachment; filename="?report\.md/)
  })

  test('serves it with nosniff', async () => {
    expect((await open(links[0]!)).headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('gives a part of it, and goes on where it broke off', async () => {
    const { pathname, search } = new URL(links[1]!)
    const fetchPart = (headers: Record<string, string>) => fetch(target.url + pathname + search, { headers })
    const part = await fetchPart({ range: 'bytes=4-6' })
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([206, 'bytes 4-6/8', '1,2'])
    const etag = part.headers.get('etag')!
    const same = await fetchPart({ range: 'bytes=4-', 'if-range': etag })
    expect([same.status, await same.text()]).toEqual([206, '1,2\n'])
    const other = await fetchPart({ range: 'bytes=4-', 'if-range': '"another"' })
    expect([other.status, await other.text()]).toEqual([200, 'a,b\n1,2\n'])
    expect((await fetchPart({ 'if-none-match': etag })).status).toBe(304)
    const beyond = await fetchPart({ range: 'bytes=8-' })
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */8'])
  })

  test('does not hold the API key', () => {
    expect(links.join()).not.toContain(target.key)
  })

  test('still works when it is asked for again', async () => {
    for (const link of Object.values(await linksOf(id))) expect((await open(link)).status).toBe(200)
  })

  const alterations: [string, (link: string, other: string) => string][] = [
    [
      'the path of another file',
      (link, other) => new URL(other).origin + new URL(other).pathname + new URL(link).search,
    ],
    ['a later expiry', (link) => link.replace(/expires=(\d+)/, (_, time) => `expires=${Number(time) + 3600}`)],
    ['an earlier expiry', (link) => link.replace(/expires=\d+/, 'expires=1')],
    [
      'another signature',
      (link) => link.replace(/signature=./, (found) => `${found.slice(0, -1)}${found.endsWith('A') ? 'B' : 'A'}`),
    ],
    ['an empty signature', (link) => link.replace(/signature=[^&]*/, 'signature=')],
    ['no signature', (link) => link.replace(/&signature=[^&]*/, '')],
    ['no expiry', (link) => link.replace(/expires=\d+&/, '')],
    ['nothing after the path', (link) => link.split('?')[0]!],
    ['the organization of nobody', (link) => link.replace(/outputs\/[0-9a-f]{24}/, 'outputs/aaaaaaaaaaaaaaaaaaaaaaaa')],
    ['the signature twice', (link) => `${link}&signature=x`],
  ]
  for (const [what, alter] of alterations)
    test(`with ${what} is 403 LINK_INVALID`, async () => {
      const altered = alter(links[0]!, links[1]!)
      expect(altered).not.toBe(links[0])
      const reply = await open(altered)
      // A parameter that comes twice is no text; that the request is refused is what counts.
      if (what.endsWith('twice')) expect(reply.status).toBeGreaterThanOrEqual(400)
      else expectError(reply, 403, 'LINK_INVALID')
    })

  test('of a deleted message works no more', async () => {
    const own = await newConversation({ tools: ['create_file'] })
    const { message_id } = await own.answer(`${create('a.txt', 'x')}\nsay Done`)
    const output = (await own.message(message_id, '?downloadable_output=true')).downloadable_output
    await api.delete(`${own.path}/message/${message_id}`)
    expect((await open(Object.values<string>(output)[0]!)).status).toBe(403)
  })
})

describe('create_file', () => {
  const ZIP = 'PK\u0003\u0004'
  const OFFICE = 'application/vnd.openxmlformats-officedocument.'
  const chart = { type: 'bar', categories: ['a', 'b'], series: [{ values: [1, 2] }] }
  const kinds: [name: string, given: object, begins: string, mediaType: string][] = [
    ['report.pdf', { content: '# Report\n\n| a |\n|---|\n| b |' }, '%PDF-', 'application/pdf'],
    ['report.docx', { content: '# Report\n\n- a' }, ZIP, `${OFFICE}wordprocessingml.document`],
    ['table.xlsx', { content: 'a,b\n1,2\n' }, ZIP, `${OFFICE}spreadsheetml.sheet`],
    ['chart.png', { chart }, 'PNG', 'image/png'],
    ['chart.svg', { chart }, '<svg', 'image/svg+xml'],
  ]
  for (const [name, given, begins, mediaType] of kinds)
    test(`makes ${name.split('.')[1]!.toUpperCase()}`, async () => {
      const own = await newConversation({ tools: ['create_file'] })
      const { message_id } = await own.answer(`call create_file ${JSON.stringify({ name, ...given })}\nsay Done`)
      const message = await own.message(message_id, '?downloadable_output=true')
      const reply = await open(Object.values<string>(message.downloadable_output)[0]!)
      expect(reply.headers.get('content-type')).toBe(mediaType)
      expect(reply.text.slice(0, 8)).toContain(begins)
    })
})
