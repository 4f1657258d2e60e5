import { expect, test } from 'vitest'
import { pdf, typed } from '../../../../tests/support/test-files/pdf.ts'
import { startTestReader } from '../../../../tests/support/test-files/reader.ts'

const { read } = startTestReader()

interface Part {
  type: string
  body: string | Buffer
  name?: string
}

function mail(subject: string, parts: Part[]): string {
  const part = ({ type, body, name }: Part) =>
    [
      '--b',
      `Content-Type: ${type}`,
      ...(name ? [`Content-Disposition: attachment; filename="${name}"`] : []),
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from(body).toString('base64').replace(/.{76}/g, '$&\r\n'),
    ].join('\r\n')
  return [
    'From: Ines Okafor <ines@mill.example>',
    'To: members@mill.example',
    'Date: Tue, 06 Feb 2024 09:12:00 +0100',
    `Subject: ${subject}`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    ...parts.map(part),
    '--b--',
    '',
  ].join('\r\n')
}

test('an e-mail with its people, its text and its attachments, each named where its passages are', async () => {
  const { format, title, chunks } = await read(
    'message',
    mail('=?utf-8?q?Course_=E2=80=93_new_date?=', [
      { type: 'text/plain; charset=utf-8', body: 'The course is on Thursday at 14:00.' },
      { type: 'text/csv', name: 'people.csv', body: 'name;status\nSigne;waiting\n' },
      {
        type: 'application/octet-stream',
        name: 'rules.pdf',
        body: pdf([typed(['Bring closed shoes to the course in the mill.'])]),
      },
    ]),
  )
  expect([format, title]).toEqual(['eml', 'Course – new date'])
  expect(chunks.map(({ location }) => location.attachment)).toEqual([undefined, 'people.csv', 'rules.pdf'])
  expect(chunks[0]!.text).toBe(
    'From: Ines Okafor <ines@mill.example>\nTo: members@mill.example\nDate: 2024-02-06T08:12:00.000Z\nSubject: Course – new date\nAttachments: people.csv, rules.pdf\nThe course is on Thursday at 14:00.',
  )
  expect(chunks[1]!.text).toBe('name: Signe | status: waiting')
  expect(chunks[2]).toMatchObject({ text: 'Bring closed shoes to the course in the mill.', location: { page: 1 } })
})

test('an e-mail that has only HTML', async () => {
  const { text } = await read(
    'm.eml',
    mail('Hello', [{ type: 'text/html; charset=utf-8', body: '<p>Grüße <b>aus</b> Bern</p><script>no()</script>' }]),
  )
  expect(text).toMatch(/Grüße aus Bern$/)
})

test('an attachment that cannot be read is noted, and the rest is there', async () => {
  const { text, notes } = await read(
    'm.eml',
    mail('Hello', [
      { type: 'text/plain', body: 'See below.' },
      { type: 'application/pdf', name: 'broken.pdf', body: '%PDF-1.7 nothing more' },
    ]),
  )
  expect(text).toContain('See below.')
  expect(notes).toEqual([
    expect.stringMatching(/^The attachment "broken.pdf" was not read. The file is not readable as PDF/),
  ])
})

test('e-mails within e-mails are read to a depth of three, and no deeper', async () => {
  let message = mail('level 6', [{ type: 'text/plain', body: 'innermost' }])
  for (let level = 5; level >= 1; level--)
    message = mail(`level ${level}`, [
      { type: 'text/plain', body: `text ${level}` },
      { type: 'message/rfc822', name: `level${level + 1}.eml`, body: message },
    ])
  const { chunks, text, notes } = await read('m.eml', message)
  expect(text).toContain('text 4')
  expect(text).not.toContain('text 5')
  expect(chunks.at(-1)!.location.attachment).toBe('level2.eml > level3.eml > level4.eml')
  expect(notes).toEqual(['Attachments of e-mails within e-mails were not read.'])
})
