import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createSandbox } from './sandbox.ts'

const never = new AbortController().signal
const by = (signal: AbortSignal, organizationId = 'a') => ({ organizationId, signal })
const sandbox = createSandbox({ timeMs: 3000 })
const run = (code: string, input?: string) => sandbox.run(code, input, by(never))

describe('the value', () => {
  test.each([
    ['1 + 1', '2'],
    ['const a = [3, 1, 2]\na.sort()\na', '[1,2,3]'],
    ['return 5', '5'],
    ['const x = await Promise.resolve(4)\nif (x) return { x }', '{"x":4}'],
    ['const x = await Promise.resolve(4); x * 2', '8'],
    ['async function main() { return [1, 2] }\nmain()', '[1,2]'],
    ['(async () => { await 0; return "done" })()', 'done'],
    ['let x = 3\nif (x > 2) { x * 10 }', '30'],
    ['function add(a, b) { return a + b } // ends in a comment\nreturn add(2, 3) // here', '5'],
    ['({ m: new Map([["k", 1]]), s: new Set([1]), n: 10n, f: NaN })', '{"m":{"k":1},"s":[1],"n":"10n","f":"NaN"}'],
    ['2n ** 70n', '1180591620717411303424n'],
    ['const o = {}; o.self = o; o', '{"self":"[circular]"}'],
    ['const shared = [1]; ({ a: shared, b: shared })', '{"a":[1],"b":[1]}'],
    ['new Date(0)', '"1970-01-01T00:00:00.000Z"'],
    ['null', 'null'],
    ['"text"', 'text'],
    ['undefined', undefined],
  ])('of %j is %j', async (code, value) => expect(await run(code)).toEqual({ console: [], isCut: false, value }))

  test('and what was printed', async () => {
    expect(await run('console.log("sum", 3, { a: [1] }); console.error("x"); 4')).toEqual({
      console: ['sum 3 {"a":[1]}', 'x'],
      isCut: false,
      value: '4',
    })
  })

  test('is computed from the input, parsed where it is JSON', async () => {
    expect(await run('input.rows.map((row) => row * 2)', '{"rows":[1,2]}')).toMatchObject({ value: '[2,4]' })
    expect(await run('input.length', 'no JSON')).toMatchObject({ value: '7' })
    expect(await run('typeof input')).toMatchObject({ value: 'undefined' })
  })
})

describe('what goes wrong is told', () => {
  test.each([
    ['throw new TypeError("no")', /^TypeError: no\n {4}at <eval> \(code\.js:1/],
    ['let a = 1\na.b.c', /^TypeError: .*\n.*code\.js:2/],
    ['let x = ;', /^SyntaxError: /],
    ['await Promise.reject(new Error("later"))', /^Error: later/],
    ['JSON.parse("{")', /^SyntaxError: .*JSON/],
    ['await new Promise(() => {})', /awaits something that never comes/],
    ['({ get a() { throw new Error("shown") } })', /cannot be shown: Error: shown/],
    ['throw null', /^null$/],
  ])('%j', async (code, error) => expect((await run(code)).error).toMatch(error))
})

describe('there is no way out', () => {
  test.each([
    'this.constructor.constructor("return process")()',
    'console.log.constructor("return process")()',
    'require("fs")',
    'await import("node:fs")',
    'await import("file:///etc/passwd")',
    'fetch("http://127.0.0.1")',
    'process.exit()',
    'WebAssembly.compile',
    'std.open',
    'os.exec',
  ])('%j', async (code) =>
    expect((await run(code)).error).toMatch(/not defined|could not load|not a function|cannot read/),
  )

  test('what is there is the language, and nothing of the server', async () => {
    const { value } = await run(
      'Object.getOwnPropertyNames(globalThis).filter((name) => !/^[A-Z]/.test(name)).sort().join()',
    )
    expect(value).toBe(
      'console,decodeURI,decodeURIComponent,encodeURI,encodeURIComponent,escape,eval,globalThis,isFinite,isNaN,parseFloat,parseInt,performance,queueMicrotask,undefined,unescape',
    )
  })

  test('a call leaves nothing behind for the next', async () => {
    expect(await run('Object.prototype.leak = 1; globalThis.kept = 2; ({}).leak')).toMatchObject({ value: '1' })
    expect(await run('[({}).leak, typeof kept].join()')).toMatchObject({ value: ',undefined' })
  })

  test('code that turns the language against what shows its value changes only what is shown', async () => {
    const code = 'JSON.stringify = Array.prototype.map = String = () => { throw 1 }; [1, { a: 2 }]'
    expect(await run(code)).toMatchObject({ value: '[1,{"a":2}]' })
    expect(
      (await run('Array.prototype.join = () => "x".repeat(1e6); console.log(1)')).console.join('').length,
    ).toBeLessThanOrEqual(20_000)
  })
})

describe('code that never ends or takes too much is stopped', () => {
  const hasty = createSandbox({ timeMs: 1_000, memoryBytes: 32 * 1024 * 1024 })
  test.each([
    ['while (true) {}', /longer than 1 s/],
    ['for (;;) await 0', /longer than 1 s/],
    ['(function next() { Promise.resolve().then(next) })(); await new Promise(() => {})', /longer than 1 s/],
    ['try { for (;;); } finally { for (;;); }', /longer than 1 s/],
    ['/(a+)+$/.test("a".repeat(50) + "!")', /longer than 1 s/],
    ['({ toJSON() { for (;;); } })', /cannot be shown/],
    ['const all = []; for (;;) all.push("x".repeat(1e6) + all.length)', /32 MB|longer|too long/],
    ['"x".repeat(2 ** 30)', /RangeError|32 MB/],
    ['let s = "a"; for (;;) s += s', /too long|32 MB/],
    ['new Uint8Array(2 ** 28)', /RangeError|32 MB|memory/],
    ['function f() { return f() + 1 }\nf()', /RangeError: Maximum call stack/],
    ['const f = () => [1].map(f); f()', /RangeError: Maximum call stack/],
    ['let deep = []; for (let n = 0; n < 2e4; n++) deep = [deep]; deep', /cannot be shown/],
    ['JSON.parse("[".repeat(1e6))', /SyntaxError|RangeError|nested too deeply/],
  ])('%j', async (code, error) => {
    const result = await hasty.run(code, undefined, by(never))
    expect(result.error).toMatch(error)
    expect(result.value).toBeUndefined()
  })

  const patient = createSandbox({ timeMs: 60_000 })
  test.each([
    'const m = new Map(); for (let i = 0; ; i++) m.set(i, [i, i, i])',
    'const all = []; for (;;) all.push({ a: [1] })',
    'const s = new Set(); for (let i = 0; ; i++) s.add({ i })',
    'const fill = async (all) => { for (;;) all.push(await [1]) }; fill([])',
  ])('%j is told that it took too much memory, although none was left for the error', async (code) =>
    expect((await patient.run(code, undefined, by(never))).error).toBe('The code took more than 64 MB.'),
  )

  test.each([
    ['throw null', 'null'],
    ['try { new ArrayBuffer(1e9) } catch {}\nthrow null', 'null'],
    ['throw { toJSON() { throw null } }', 'an error that cannot be shown'],
  ])('%j took little memory, and is told what it threw', async (code, error) =>
    expect((await run(code)).error).toBe(error),
  )

  test('much output is cut', async () => {
    const result = await run('for (let n = 0; n < 300; n++) console.log("y".repeat(100)); "z".repeat(1e5)')
    expect(result.isCut).toBe(true)
    expect(result.console.join('\n').length + result.value!.length).toBe(20_000)
  })

  test('lines without anything on them count, too', async () => {
    const small = createSandbox({ timeMs: 60_000, outputCharacters: 100 })
    const result = await small.run('for (let n = 0; n < 300; n++) console.log(""); 1', undefined, by(never))
    expect(result).toMatchObject({ isCut: true, value: '' })
    expect(result.console).toHaveLength(100)
  })

  test('the server goes on while code loops', async () => {
    let isOver = false
    const looping = hasty.run('for (;;);', undefined, by(never)).finally(() => {
      isOver = true
    })
    let turns = 0
    while (!isOver) {
      turns++
      await yieldToEventLoop()
    }
    expect(turns).toBeGreaterThan(100)
    expect((await looping).error).toBeDefined()
  })

  test('whoever leaves does not wait, and the next comes to its turn', async () => {
    const gone = new AbortController()
    const slow = createSandbox({ timeMs: 60_000 })
    const endless = [1, 2, 3].map(() => slow.run('for (;;);', undefined, by(gone.signal)))
    const next = slow.run('1', undefined, by(never))
    gone.abort(new Error('gone'))
    for (const one of endless) await expect(one).rejects.toThrow('gone')
    expect(await next).toMatchObject({ value: '1' })
  })

  test('an organization that keeps both places busy does not hold up another', async () => {
    const done: string[] = []
    const run = (organizationId: string, code: string) =>
      hasty.run(code, undefined, by(never, organizationId)).then(() => done.push(organizationId))
    const looping = Array.from({ length: 4 }, () => run('a', 'for (;;);'))
    await Promise.all([...looping, run('b', '1')])
    // Two of the four were there before.
    expect(done.indexOf('b')).toBeLessThanOrEqual(2)
  })
})
