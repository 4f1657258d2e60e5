import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Chart } from '../../server/src/content/write/charts/chart.schema.ts'
import { createFileMaker } from '../../server/src/content/write/file-maker.ts'
import type { MakeRequest } from '../../server/src/content/write/make-request.ts'

const ROUNDS = 5
const EVERY_MS = 2

const SECTION = `## A part of the report

${'The keeper writes down the weather of the day, the ships that pass and the oil that burns. '.repeat(8)}

- one item
  - and one below it

| Name | Quantity | Price |
|:-----|:--------:|------:|
${'| An entry of the table | 12 | 14.99 € |\n'.repeat(8)}
`
const chart = Chart.parse({ type: 'bar', categories: ['a', 'b', 'c'], series: [{ values: [1, 2, 3] }] })
const rows = `Day,Name,Total\n${'2026-01-31,An entry,12.5\n'.repeat(10_000)}`

const document = (kind: 'pdf' | 'docx', sections: number): MakeRequest => ({
  kind,
  content: `# Report\n\n${SECTION.repeat(sections)}`,
  title: 'Report',
  page: 'A4',
  pictures: [],
})
const files: [what: string, request: MakeRequest][] = [
  ['PDF, 1 section', document('pdf', 1)],
  ['PDF, 100 sections', document('pdf', 100)],
  ['DOCX, 100 sections', document('docx', 100)],
  ['XLSX, 10,000 rows', { kind: 'xlsx', content: rows }],
  ['chart as SVG', { kind: 'svg', chart }],
  ['chart as PNG', { kind: 'png', chart }],
]

/** `created-files`: how long `create_file` takes for each kind, and how long the server's own thread works on it at a time. */
export async function run(): Promise<void> {
  const cacheFolder = await mkdtemp(path.join(tmpdir(), 'docent-created-files-'))
  const maker = createFileMaker({ cacheFolder })
  const caller = { organizationId: 'bench', signal: new AbortController().signal }
  console.log('what                 middle ms   thread, longest ms   KiB')
  try {
    await maker.make(files[0]![1], caller)
    for (const [what, request] of files) {
      const times: number[] = []
      const thread = watchThread()
      let bytes = 0
      for (let round = 0; round < ROUNDS; round++) {
        const began = performance.now()
        bytes = (await maker.make(request, caller)).bytes.length
        times.push(performance.now() - began)
      }
      const middle = times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]!
      const figures = [
        middle.toFixed(0).padStart(9),
        thread.longestMs().toFixed(1).padStart(20),
        (bytes / 1024).toFixed(0).padStart(5),
      ]
      console.log(`${what.padEnd(20)} ${figures.join(' ')}`)
    }
  } finally {
    await rm(cacheFolder, { recursive: true, force: true })
  }
}

/** The most work of this thread between two turns of a timer: what the machine does besides does not count. */
function watchThread() {
  let longestMs = 0
  let last = process.threadCpuUsage()
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(last)
    longestMs = Math.max(longestMs, (user + system) / 1000)
    last = process.threadCpuUsage()
  }, EVERY_MS)
  return {
    longestMs() {
      clearInterval(timer)
      return longestMs
    },
  }
}
