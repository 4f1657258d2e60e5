import { expect, test } from 'vitest'
import { msg, plainRtf } from '../../../../tests/support/test-files/msg.ts'
import { pdf, typed } from '../../../../tests/support/test-files/pdf.ts'
import { startTestReader } from '../../../../tests/support/test-files/reader.ts'

const { read } = startTestReader()

const ines = { name: 'Ines Okafor', address: 'ines@mill.example' }

test('a message of Outlook with its people, its text and its attachments, each named where its passages are', async () => {
  const { format, title, chunks } = await read(
    'message',
    msg({
      subject: 'Course – new date',
      body: 'The course is on Thursday at 14:00.',
      from: ines,
      to: [
        { name: 'Members', address: 'members@mill.example' },
        { name: 'Signe', address: 'signe@mill.example', type: 'cc' },
      ],
      date: new Date('2024-02-06T08:12:00Z'),
      files: [
        { name: 'people.csv', content: Buffer.from('name;status\nSigne;waiting\n') },
        { name: 'rules.pdf', content: pdf([typed(['Bring closed shoes to the course in the mill.'])]) },
      ],
    }),
  )
  expect([format, title]).toEqual(['msg', 'Course – new date'])
  expect(chunks.map(({ location }) => location.attachment)).toEqual([undefined, 'people.csv', 'rules.pdf'])
  expect(chunks[0]!.text).toBe(
    'From: Ines Okafor <ines@mill.example>\nTo: Members <members@mill.example>\nCc: Signe <signe@mill.example>\nDate: 2024-02-06T08:12:00.000Z\nSubject: Course – new date\nAttachments: people.csv, rules.pdf\nThe course is on Thursday at 14:00.',
  )
  expect(chunks[1]!.text).toBe('name: Signe | status: waiting')
  expect(chunks[2]).toMatchObject({ text: 'Bring closed shoes to the course in the mill.', location: { page: 1 } })
})

test('a message within a message is read with what is attached to it', async () => {
  const inner = { subject: 'Inner', body: 'The inner text.', files: [{ name: 'a.txt', content: Buffer.from('Deep.') }] }
  const { chunks } = await read('message', msg({ subject: 'Outer', files: [{ name: 'Inner', message: inner }] }))
  expect(chunks.map(({ location }) => location.attachment)).toEqual([undefined, 'Inner.msg', 'Inner.msg > a.txt'])
  expect(chunks[1]!.text).toContain('The inner text.')
  expect(chunks[2]!.text).toBe('Deep.')
})

test('a message that has only HTML, only RTF, or texts from before Unicode', async () => {
  const html = Buffer.from('<p>Bring <b>closed</b> shoes.</p><script>no</script>')
  expect((await read('a.msg', msg({ html, from: ines }))).text).toContain('Bring closed shoes.')
  const rtf = plainRtf('{\\rtf1\\ansi The valve is open.\\par}')
  expect((await read('b.msg', msg({ rtf, from: ines }))).text).toContain('The valve is open.')
  const codePage = {
    number: 1251,
    encode: (text: string) =>
      Buffer.from([...text].map((letter) => (letter < '\x80' ? letter.charCodeAt(0) : letter.charCodeAt(0) - 0x350))),
  }
  const { title, text } = await read('c.msg', msg({ subject: 'Печь', body: 'Печь работает.', codePage }))
  expect([title, text]).toEqual(['Печь', expect.stringContaining('Печь работает.')])
})

test('RTF that says it is larger than is read, and a message that is cut off, fail in words', async () => {
  const rtf = plainRtf('{\\rtf1 text}')
  rtf.writeUInt32LE(0x7fffffff, 4)
  await expect(read('a.msg', msg({ rtf }))).rejects.toMatchObject({ failure: 'too-large' })
  const whole = msg({ subject: 'x', body: 'text '.repeat(2_000) })
  await expect(read('b.msg', whole.subarray(0, 1_500))).rejects.toMatchObject({
    failure: expect.stringMatching(/damaged|convert-first/),
  })
})
