import { expect, test } from 'vitest'
import { startTestReader } from '../../../../tests/support/test-files/reader.ts'

const { read } = startTestReader()

test('a notebook is read by its cells, with the text of outputs and without pictures', async () => {
  const cells = [
    { cell_type: 'markdown', source: ['# Oven report\n', '\n', 'Values of **March**.'] },
    {
      cell_type: 'code',
      source: 'print(heat())',
      outputs: [
        { output_type: 'stream', name: 'stdout', text: ['\u001b[31m1240\u001b[0m degrees\n'] },
        { output_type: 'display_data', data: { 'image/png': 'iVBORw0KGgo', 'text/plain': ['<Figure 1>'] } },
        { output_type: 'error', ename: 'KeyError', evalue: 'kiln', traceback: ['long'] },
      ],
    },
    { cell_type: 'code', source: [], outputs: [] },
  ]
  const { format, title, chunks, text } = await read('report.ipynb', JSON.stringify({ cells, nbformat: 4 }))
  expect({ format, title }).toEqual({ format: 'ipynb', title: 'Oven report' })
  expect(chunks[0]).toMatchObject({
    text: 'Values of March.',
    location: { heading_path: ['Oven report', 'Cell 1'] },
  })
  expect(chunks[1]!.location.heading_path).toEqual(['Oven report', 'Cell 2'])
  for (const part of ['print(heat())', '1240 degrees', '<Figure 1>', 'KeyError: kiln']) expect(text).toContain(part)
  expect(text).not.toMatch(/iVBOR|\u001b|traceback/)
})

test('a notebook that is cut off is read as code', async () => {
  const { format, text } = await read('cut.ipynb', '{"cells": [{"cell_type": "code", "source": "x = 41"')
  expect({ format, text }).toMatchObject({ format: 'code', text: expect.stringContaining('x = 41') })
})

test('subtitles become paragraphs with their times, without marks, numbers and repeated lines', async () => {
  const srt =
    '1\r\n00:01:05,000 --> 00:01:08,000\r\n<i>Close the valve</i>\r\n\r\n2\r\n00:01:08,000 --> 00:01:11,000\r\nbefore you leave.\r\n'
  const { format, chunks } = await read('film.srt', srt)
  expect(format).toBe('subtitles')
  expect(chunks).toEqual([
    {
      ordinal: 0,
      text: 'Close the valve before you leave.',
      location: { heading_path: ['00:01:05'], line_start: 3, line_end: 7, time_start: 65, time_end: 71 },
    },
  ])
  const vtt = [
    'WEBVTT - a talk',
    '',
    'NOTE left out',
    '',
    'intro',
    '00:05.000 --> 00:09.000 align:start',
    '<v Ada>Salt &amp; water',
    '',
    '00:09.000 --> 00:12.000',
    '<v Ada>Salt &amp; water',
    'are enough.',
  ].join('\n')
  const talk = await read('a talk', vtt)
  expect(talk.format).toBe('subtitles')
  expect(talk.text).toBe('Ada: Salt & water are enough.')
  expect(talk.chunks[0]!.location.heading_path).toEqual(['00:05'])
})

test('a long transcript has a time for each of its paragraphs', async () => {
  const cue = (minute: number) =>
    `00:${String(minute).padStart(2, '0')}:00.000 --> 00:${String(minute).padStart(2, '0')}:59.000\nIn minute ${minute} ${'the kiln burns and '.repeat(15)}ends.\n`
  const { chunks } = await read('t.vtt', `WEBVTT\n\n${Array.from({ length: 20 }, (_, at) => cue(at)).join('\n')}`)
  expect(chunks.find(({ text }) => text.includes('In minute 6'))!.location.heading_path).toEqual(['00:06:00'])
})
