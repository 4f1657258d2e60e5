import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { seededIntegers } from '../server/tests/support/seeded-random.ts'
import { msg } from '../server/tests/support/test-files/msg.ts'
import * as office from '../server/tests/support/test-files/office.ts'
import { drawnPdf, pdf, typed } from '../server/tests/support/test-files/pdf.ts'
import { png, scan } from '../server/tests/support/test-files/print.ts'
import { createClient } from './drive/client.ts'
import { startBenchServer } from './drive/server.ts'
import { probeRequests } from './support/probe-requests.ts'

const LONGEST_MS = 10 * 60_000

/**
 * Good files of 20 formats with bytes flipped at random places, sent to a server as any others are: what becomes of each,
 * whether the server lives, and how long other requests wait meanwhile. Fails where one has no end or the server is gone.
 *
 *     npm run bench -- flips [--flips 500] [--rounds 5] [--seed 1]
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      flips: { type: 'string', default: '500' },
      rounds: { type: 'string', default: '5' },
      seed: { type: 'string', default: '1' },
    },
  })
  const dataDir = await mkdtemp(join(tmpdir(), 'docent-bench-flips-'))
  const server = await startBenchServer(dataDir)
  const client = createClient(server)
  const random = seededIntegers(Number(values.seed))
  const outcomes = new Map<string, Map<string, number>>()
  try {
    const folder = await client.addFolder('flips')
    const idle = probeRequests(() => client.call('GET', '/me'))
    await delay(3_000)
    console.log(`requests without them      ${await idle.end()}`)
    const busy = probeRequests(() => client.call('GET', '/me'))
    const startedAt = performance.now()
    const waiting = new Map<string, string>()
    for (let round = 0; round < Number(values.rounds); round++)
      for (const [name, bytes] of Object.entries(await goodFiles())) {
        const damaged = flipped(bytes, Number(values.flips), random)
        const uploaded = await client.upload(`${round}-${name}`, [damaged])
        waiting.set(await client.addFile(folder, uploaded, `${round}-${name}`), name)
      }
    while (waiting.size > 0) {
      await delay(500)
      if (performance.now() - startedAt > LONGEST_MS) throw new Error(`${waiting.size} files have no end`)
      for (const [id, name] of waiting) {
        const { status } = await client.call<{ status: string }>('GET', `/data-sources/${id}`)
        if (status !== 'successful' && status !== 'failed') continue
        waiting.delete(id)
        const counts = outcomes.get(name) ?? new Map<string, number>()
        outcomes.set(name, counts.set(status, (counts.get(status) ?? 0) + 1))
      }
    }
    console.log(`requests meanwhile         ${await busy.end()}`)
    console.log(`all ended after            ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`)
    for (const [name, counts] of outcomes)
      console.log(`  ${name.padEnd(14)} ${[...counts].map(([status, count]) => `${count} ${status}`).join(', ')}`)
  } finally {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function goodFiles(): Promise<Record<string, Buffer>> {
  const lines = Array.from(
    { length: 200 },
    (_, line) => `Valve ${line} of the lighthouse is opened at ${line % 24} hours.`,
  )
  const text = lines.join('\n')
  const picture = await readFile(new URL('../server/src/content/read/fixtures/delivery-note.png', import.meta.url))
  const files = {
    'text.txt': text,
    'notes.md': lines.map((line) => `## ${line}\n\n- ${line}`).join('\n'),
    'page.html': `<html><body>${lines.map((line) => `<p>${line}</p>`).join('')}</body></html>`,
    'table.csv': lines.map((line, at) => `${at};${line};x`).join('\n'),
    'data.json': JSON.stringify(lines.map((line, at) => ({ at, line }))),
    'rows.jsonl': lines.map((line) => JSON.stringify({ line })).join('\n'),
    'code.ts': lines.map((line) => `// ${line}`).join('\n'),
    'book.ipynb': JSON.stringify({
      cells: lines.map((line) => ({ cell_type: 'markdown', source: [line] })),
      nbformat: 4,
    }),
    'film.srt': lines
      .map((line, at) => `${at + 1}\n00:00:${String(at % 60).padStart(2, '0')},000 --> 00:01:00,000\n${line}\n`)
      .join('\n'),
    'film.vtt': `WEBVTT\n\n${lines.map((line) => `00:00:01.000 --> 00:00:02.000\n${line}\n`).join('\n')}`,
    'mail.eml': `From: a@b.c\r\nTo: d@e.f\r\nSubject: x\r\nMIME-Version: 1.0\r\nDate: Thu, 26 Nov 2026 10:00:00 +0100\r\n\r\n${text}`,
    'mail.msg': msg({ subject: 'x', body: text, files: [{ name: 'a.txt', content: Buffer.from(text) }] }),
    'text.rtf': `{\\rtf1\\ansi ${lines.join('\\par ')}}`,
    'text.docx': office.docx(lines.map((line) => office.wordParagraph(line)).join('')),
    'slides.pptx': office.pptx([{ title: 'Valves', lines }]),
    'sheet.xlsx': office.xlsx({ Valves: lines.map((line, at) => [at, line]) }),
    'book.epub': office.epub('Valves', lines),
    'text.pdf': pdf(Array.from({ length: 10 }, () => typed(lines.slice(0, 40)))),
    'scan.pdf': drawnPdf([scan(lines.slice(0, 5))]),
    'note.png': picture,
    'print.png': png(lines.slice(0, 5)),
  }
  return Object.fromEntries(
    Object.entries(files).map(([name, content]) => [
      name,
      typeof content === 'string' ? Buffer.from(content) : content,
    ]),
  )
}

function flipped(bytes: Buffer, flips: number, random: (below: number) => number): Buffer {
  const damaged = Buffer.from(bytes)
  for (let flip = 0; flip < flips; flip++) {
    damaged[random(damaged.length)] = random(256)
  }
  return damaged
}
