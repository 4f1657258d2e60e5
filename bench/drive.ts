import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type BenchServer, peakRss, startBenchServer } from './drive/server.ts'

const MIB = 1024 ** 2

/**
 * Cost of the drive to a server in a process of its own: the memory of a large upload and of a large ZIP, the time until the
 * deletion of a tree is answered, and how long other requests wait meanwhile and while the tree is removed.
 *
 *     npm run bench -- drive [--upload-mib 100] [--files 5000] [--zip-files 100] [--zip-mib 1]
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      'upload-mib': { type: 'string', default: '100' },
      files: { type: 'string', default: '5000' },
      'zip-files': { type: 'string', default: '100' },
      'zip-mib': { type: 'string', default: '1' },
    },
  })
  const dataDir = await mkdtemp(join(tmpdir(), 'docent-bench-drive-'))
  const server = await startBenchServer(dataDir)
  try {
    await measureUpload(server, Number(values['upload-mib']))
    await measureZip(server, Number(values['zip-files']), Number(values['zip-mib']))
    await measureDelete(server, Number(values.files))
  } finally {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function measureUpload(server: BenchServer, mib: number): Promise<void> {
  await upload(server, MIB)
  await upload(server, MIB)
  for (let round = 1; round <= 3; round++) {
    const startedAt = performance.now()
    const { before, peak } = await peakRss(server.pid, () => upload(server, mib * MIB))
    const seconds = (performance.now() - startedAt) / 1000
    print(`upload of ${mib} MiB, round ${round}`, {
      'memory before': `${toMib(before)} MiB`,
      growth: `${toMib(peak - before)} MiB`,
      speed: `${Math.round(mib / seconds)} MiB/s`,
    })
  }
}

async function measureZip(server: BenchServer, files: number, mibEach: number): Promise<void> {
  const folder = await newFolder(server, 'zip')
  const ids: string[] = []
  for (let index = 0; index < files; index++) {
    ids.push(await addFile(server, folder, await upload(server, mibEach * MIB), `${index}.bin`))
  }
  const path = `/knowledge-bases/${folder}/data-sources/actions/download?data_source_id=${ids.join()}`
  const startedAt = performance.now()
  let bytes = 0
  const { before, peak } = await peakRss(server.pid, async () => {
    for await (const piece of await send(server, 'GET', path)) bytes += (piece as Buffer).length
  })
  const seconds = (performance.now() - startedAt) / 1000
  print(`ZIP of ${files} files of ${mibEach} MiB`, {
    'memory before': `${toMib(before)} MiB`,
    growth: `${toMib(peak - before)} MiB`,
    speed: `${Math.round(bytes / MIB / seconds)} MiB/s`,
  })
}

async function measureDelete(server: BenchServer, files: number): Promise<void> {
  // The first deletion loads the search engine, which is no part of the cost of a deletion.
  const warm = await newFolder(server, 'warm')
  await addFile(server, warm, await upload(server, 1000), 'file.txt')
  await readJson(await send(server, 'DELETE', `/knowledge-bases/${warm}`))
  await delay(2000)

  const root = await newFolder(server, 'tree')
  const folders = [root]
  for (let index = 1; index < 50; index++) {
    folders.push(await newFolder(server, `folder ${index}`, folders[Math.floor((index - 1) / 3)]))
  }
  const uploads: string[] = []
  for (let index = 0; index < 100; index++) uploads.push(await upload(server, 1000))
  for (let at = 0; at < files; at += 50) {
    const some = Array.from({ length: Math.min(50, files - at) }, (_, index) => at + index)
    await Promise.all(
      some.map((index) => addFile(server, folders[index % 50]!, uploads[index % 100]!, `file ${index}.txt`)),
    )
  }
  const waits: number[] = []
  let isDone = false
  const probing = (async () => {
    while (!isDone) {
      const startedAt = performance.now()
      await readJson(await send(server, 'GET', '/me'))
      waits.push(performance.now() - startedAt)
      await delay(2)
    }
  })()
  const startedAt = performance.now()
  await readJson(await send(server, 'DELETE', `/knowledge-bases/${root}`))
  const answeredMs = performance.now() - startedAt
  while ((await server.countFiles(folders)) > 0) await delay(50)
  const removedMs = performance.now() - startedAt
  isDone = true
  await probing
  waits.sort((a, b) => a - b)
  print(`deletion of ${folders.length} folders with ${files} files`, {
    answered: `${answeredMs.toFixed(1)} ms`,
    'all rows gone': `${Math.round(removedMs)} ms`,
    'other requests meanwhile': `p50 ${waits[waits.length >> 1]!.toFixed(1)} ms, max ${waits.at(-1)!.toFixed(1)} ms`,
  })
}

async function newFolder(server: BenchServer, name: string, parentId?: string): Promise<string> {
  const fields = { knowledge_base_name: name, parent_kb_id: parentId }
  return ((await readJson(await send(server, 'POST', '/knowledge-bases', fields))) as { data: { id: string } }).data.id
}

async function addFile(server: BenchServer, folder: string, fileId: string, title: string): Promise<string> {
  const fields = { file_id: fileId, data_source_title: title, trigger_indexing: false }
  const reply = await send(server, 'POST', `/knowledge-bases/${folder}/data-sources/documents`, fields)
  return ((await readJson(reply)) as { data: { _id: string } }).data._id
}

/** Sends bytes that were never held as a whole on this side either. */
async function upload(server: BenchServer, bytes: number): Promise<string> {
  const head = Buffer.from('--XX\r\ncontent-disposition: form-data; name="file"; filename="noise.bin"\r\n\r\n')
  const tail = Buffer.from('\r\n--XX--\r\n')
  const noise = randomBytes(65_536)
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    const sending = request(`${server.url}/v1/uploaded-files`, {
      method: 'POST',
      headers: {
        'x-api-key': server.key,
        'content-type': 'multipart/form-data; boundary=XX',
        'content-length': head.length + bytes + tail.length,
      },
    })
    sending.on('response', resolve).on('error', reject)
    sending.write(head)
    let left = bytes
    const go = () => {
      while (left > 0) {
        const piece = left >= noise.length ? noise : noise.subarray(0, left)
        left -= piece.length
        if (!sending.write(piece)) return void sending.once('drain', go)
      }
      sending.end(tail)
    }
    go()
  })
  return ((await readJson(reply)) as { data: string }).data
}

function send(server: BenchServer, method: string, path: string, body?: unknown): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-api-key': server.key, ...(body !== undefined && { 'content-type': 'application/json' }) }
    const sending = request(`${server.url}/v1${path}`, { method, headers })
    sending.on('response', resolve).on('error', reject)
    sending.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

async function readJson(reply: IncomingMessage): Promise<unknown> {
  const text = Buffer.concat(await reply.toArray()).toString()
  if (reply.statusCode !== 200) throw new Error(`${reply.statusCode}: ${text}`)
  return JSON.parse(text)
}

const toMib = (bytes: number): string => (bytes / MIB).toFixed(1)

function print(what: string, figures: Record<string, string>): void {
  console.log(`\n${what}`)
  for (const [name, value] of Object.entries(figures)) console.log(`  ${name.padEnd(26)} ${value}`)
}
