import { fork } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startTestReader } from '../../../../tests/support/test-files/reader.ts'
import { readChunks } from '../stored-parse.ts'

const hasProc = existsSync('/proc/self/stat')

/** Parser processes that a process has started. */
function children(parent = process.pid): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isParserOf(parent, name))
    .map(Number)
}

function isParserOf(parent: number, pid: string): boolean {
  try {
    const [, state, ppid] = /\) (\S) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? []
    const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1')
    return Number(ppid) === parent && state !== 'Z' && command.includes('parser/child.ts')
  } catch {
    return false
  }
}

async function readAll(storedParse: string): Promise<void> {
  for await (const _ of readChunks(storedParse));
}

test.runIf(hasProc)('files read one after the other share a process', async () => {
  const { read, parser } = startTestReader({ idleMs: 60_000, patienceMs: 0 })
  await read('one.txt', 'one')
  const [first] = children()
  await read('two.txt', 'two')
  expect(children()).toEqual([first])
  // Long enough for one to be read still when the other one comes.
  const long = 'text '.repeat(300_000)
  await Promise.all([read('three.txt', long), read('four.txt', long)])
  // The first may have read both before the second one is there.
  await expect.poll(() => children()).toHaveLength(2)
  await parser.close()
})

test.runIf(hasProc)(
  'files side by side share a process that is done soon; one that is aborted costs none',
  async () => {
    const { read, parser, folder } = startTestReader({ idleMs: 60_000, patienceMs: 60_000 })
    const file = path.join(folder, 'aborted')
    writeFileSync(file, 'text')
    const abort = new AbortController()
    // The others wait for the process that the first one starts.
    const reading = ['one', 'two', 'three'].map((word) => read(`${word}.txt`, word))
    while (children().length === 0) await sleep(1)
    const aborted = parser.parse({ path: file, name: 'x', outputPath: `${file}.jsonl`, signal: abort.signal })
    setImmediate(() => abort.abort(new Error('deleted')))
    await expect(aborted).rejects.toThrow('deleted')
    expect((await Promise.all(reading)).map(({ text }) => text)).toEqual(['one', 'two', 'three'])
    expect((await read('five.txt', 'five')).text).toBe('five')
    expect(children()).toHaveLength(1)
    await parser.close()
  },
)

test.runIf(hasProc)('a process goes when it is idle', async () => {
  const { read } = startTestReader({ idleMs: 50 })
  await read('one.txt', 'one')
  while (children().length > 0) await sleep(20)
})

test.runIf(hasProc)('the child sees nothing of the environment', async () => {
  process.env.SECRET_OF_THE_SERVER = 'hidden'
  const { read } = startTestReader()
  await read('one.txt', 'one')
  const [pid] = children()
  const environment = readFileSync(`/proc/${pid}/environ`, 'latin1')
  expect(environment).not.toContain('hidden')
  expect(environment).toContain('NODE_COMPILE_CACHE')
  delete process.env.SECRET_OF_THE_SERVER
})

test.runIf(hasProc)(
  'a server that is killed takes the child with it, even one that never looks up from its file',
  async () => {
    const { folder } = startTestReader()
    const file = path.join(folder, 'endless')
    writeFileSync(file, `<html><body>${'<p>word <b>by</b> word</p>'.repeat(380_000)}</body></html>`)
    const program = path.join(folder, 'server.ts')
    writeFileSync(
      program,
      `import { createParser } from ${JSON.stringify(new URL('./parse-file.ts', import.meta.url).href)}
     const parser = createParser({ cacheFolder: ${JSON.stringify(path.join(folder, 'cache'))} })
     await parser.parse({ path: ${JSON.stringify(file)}, name: 'x.html', outputPath: ${JSON.stringify(`${file}.jsonl`)} })`,
    )
    const server = fork(program, { execArgv: [], stdio: 'ignore' })
    while (children(server.pid).length === 0) await sleep(20)
    const [child] = children(server.pid)
    // By now it is deep in the page.
    await sleep(500)
    expect(children(server.pid)).toEqual([child])
    server.kill('SIGKILL')
    while (existsSync(`/proc/${child}/cmdline`) && readFileSync(`/proc/${child}/cmdline`, 'latin1') !== '')
      await sleep(20)
    // It was killed, and not merely done: what it leaves, if anything, is not whole.
    await expect(readAll(`${file}.jsonl`)).rejects.toThrow(/ENOENT|cut off/)
  },
)
