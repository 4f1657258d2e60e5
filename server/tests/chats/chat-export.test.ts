import { expect, test } from 'vitest'
import { join } from '../support/access/people.ts'
import { startTestChat } from '../support/chats/chat.ts'
import { everyRow } from '../support/every-row.ts'
import { answer } from '../support/models/model-server.ts'

test('a chat is exported as Markdown, JSON and PDF, by those who may read it', async () => {
  const app = await startTestChat({
    script: ({ body }) => answer(`You said: ${body.messages.at(-1).content}`),
  })
  const { ask, call, succeed, path, url, owner } = app
  await succeed('PATCH', path, { title: 'Der Leuchtturm: "Süd"' })
  await ask('Wie schnell?')
  await ask('Как быстро?')
  const download = (format: string, at = path) =>
    fetch(`${url}/v1${at}/export?format=${format}`, { headers: { 'x-api-key': owner.apiKey } })

  const markdown = await download('md')
  expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
  expect(markdown.headers.get('content-disposition')).toContain("filename*=UTF-8''Der%20Leuchtturm-%20-S%C3%BCd-.md")
  expect(await markdown.text()).toBe(
    `${[
      '# Der Leuchtturm: "Süd"',
      '## Wie schnell?',
      'You said: Wie schnell?',
      '## Как быстро?',
      'You said: Как быстро?',
    ].join('\n\n')}\n`,
  )
  const json = (await (await download('json')).json()) as any
  expect(json).toMatchObject({ title: 'Der Leuchtturm: "Süd"', is_archived: false })
  expect(json.messages).toMatchObject([
    { query: 'Wie schnell?', usage: { model: 'openai-compatible/scripted' } },
    { response: 'You said: Как быстро?' },
  ])
  const arabic = await app.newChat()
  await ask('متى يدور المصباح؟', {}, arabic)
  for (const chat of [path, arabic]) {
    const pdf = await download('pdf', chat)
    expect(pdf.headers.get('content-type')).toBe('application/pdf')
    expect(
      Buffer.from(await pdf.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-')
  }

  // Letters that no font has are refused, and told.
  const chinese = await app.newChat()
  await ask('灯多久转一圈？', {}, chinese)
  const refused = await download('pdf', chinese)
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    {
      error_code: 'CHAT_NOT_EXPORTABLE',
      message: 'The fonts for PDF lack letters of this text (Han). Export the chat as Markdown or JSON.',
    },
  ])
  expect(await (await download('md', chinese)).text()).toContain('## 灯多久转一圈？')

  const bob = await join(app, { email: 'bob@example.com', role: 'member' })
  expect(await bob.call('GET', `${path}/export?format=md`)).toMatchObject({ status: 404 })
  await everyRow(['', '?format=docx', '?format=', '?format=md&format=pdf'], async (query) =>
    expect(await call('GET', `${path}/export${query}`)).toMatchObject({
      status: 400,
      body: { error_code: 'VALIDATION_ERROR' },
    }),
  )
})
