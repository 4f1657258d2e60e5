import { parentPort, workerData } from 'node:worker_threads'
import variant from '@jitl/quickjs-ng-wasmfile-release-sync'
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core'
import { BOOTSTRAP } from './bootstrap.ts'
import { createBoundedMemory } from './bounded-memory.ts'
import type { SandboxResult, SandboxTask } from './sandbox-messages.ts'

// The thread in which code of a model runs: QuickJS, compiled to WebAssembly, with nothing of this process in it.
const MB = 1024 * 1024
const STACK_BYTES = 1024 * 1024
const FILE = 'code.js'
/** Flags of QuickJS: compile and do not run; allow await, and give a promise of `{ value }`. */
const COMPILE_ONLY = 1 << 5
const ASYNC = 1 << 7
const JOBS_AT_ONCE = 1000
/** To show a result that came in the last moment. */
const MORE_TIME_MS = 300
const NEVER = 'The code awaits something that never comes: there are no timers, no network and no events here.'

const task = workerData as SandboxTask
parentPort!.postMessage(await run(task))

async function run({ code, input, limits }: SandboxTask): Promise<SandboxResult> {
  // All that QuickJS ever holds is in here. Its own limit does not hold the code: what it counts for a block is 8 bytes,
  // whatever its size, because WebAssembly cannot tell how large a block is.
  const memory = createBoundedMemory(limits.memoryBytes)
  // The package's types describe its CommonJS side.
  const bounded = newVariant(variant as unknown as QuickJSSyncVariant, { wasmMemory: memory.wasmMemory })
  const quickJs = await newQuickJSWASMModuleFromVariant(bounded)
  const runtime = quickJs.newRuntime()
  runtime.setMaxStackSize(STACK_BYTES)
  const vm = runtime.newContext()
  // The code's own time begins with it: what comes before may wait for a processor.
  let deadline = Number.POSITIVE_INFINITY
  runtime.setInterruptHandler(() => performance.now() > deadline)

  const result: SandboxResult = { console: [], isCut: false }
  let room = limits.outputCharacters
  const fit = (text: string): string => {
    if (text.length > room) result.isCut = true
    const part = text.slice(0, room)
    room -= part.length
    return part
  }
  /** Returns whether there is room for more. */
  const print = vm.newFunction('print', (line) => {
    if (room > 0) {
      result.console.push(fit(vm.getString(line)))
      // The end of the line counts, too: empty lines do not come without end.
      room = Math.max(0, room - 1)
    } else result.isCut = true
    return result.isCut ? vm.false : vm.true
  })
  const show = vm.unwrapResult(
    vm.callFunction(
      vm.unwrapResult(vm.evalCode(BOOTSTRAP, 'console.js')),
      vm.undefined,
      print,
      vm.newString(input ?? ''),
      input === undefined ? vm.false : vm.true,
      // One more than fits, by which is seen that it was cut.
      vm.newNumber(limits.outputCharacters + 1),
    ),
  )
  // Never unwrapped: that would bring an error into this thread as large as the code made it.
  const tryToShow = (value: QuickJSHandle) => {
    deadline = performance.now() + MORE_TIME_MS
    return vm.callFunction(show, vm.undefined, value)
  }
  const tooMuch = `The code took more than ${limits.memoryBytes / MB} MB.`
  const messageOf = (error: QuickJSHandle): string => {
    const shown = tryToShow(error)
    if (shown.error) return memory.isFull() ? tooMuch : 'an error that cannot be shown'
    const message = vm.getString(shown.value)
    // QuickJS throws null where there is no room for the error that says so.
    const hadNoRoom = message === 'null' && memory.isFull()
    return hadNoRoom || /out of memory/.test(message) ? tooMuch : message
  }
  const isLate = () => performance.now() > deadline
  const fail = (error: QuickJSHandle): void => {
    const wasLate = isLate()
    const message = messageOf(error)
    result.error = fit(wasLate && /interrupted/.test(message) ? late(limits.timeMs) : message)
  }

  const source = readable(vm, code)
  deadline = performance.now() + limits.timeMs
  const evaluated = vm.evalCode(source, FILE, ASYNC)
  if (evaluated.error) {
    fail(evaluated.error)
    return result
  }
  const done = settle(evaluated.value)
  // The last expression may be the call of an async function.
  const value = done && settle(vm.getProp(done, 'value'))
  if (!value) return result
  if (vm.typeof(value) === 'undefined') return result
  const shown = tryToShow(value)
  if (shown.error) result.error = fit(`The value cannot be shown: ${messageOf(shown.error)}`)
  else result.value = fit(vm.getString(shown.value))
  return result

  /** Runs what is to be run until the promise has its value, or the reason why it has none is told. */
  function settle(promise: QuickJSHandle): QuickJSHandle | undefined {
    while (runtime.hasPendingJob() && !isLate()) {
      const jobs = runtime.executePendingJobs(JOBS_AT_ONCE)
      if (!jobs.error) continue
      fail(jobs.error)
      return undefined
    }
    const state = vm.getPromiseState(promise)
    if (state.type === 'fulfilled') return state.value
    if (state.type === 'rejected') fail(state.error)
    else result.error = isLate() ? late(limits.timeMs) : NEVER
    return undefined
  }
}

/** Code that returns at its top level, as in the body of a function, is made one. */
function readable(vm: QuickJSContext, code: string): string {
  const asFunction = `await (async () => {${code}\n})()`
  return !compiles(vm, code) && compiles(vm, asFunction) ? asFunction : code
}

function compiles(vm: QuickJSContext, code: string): boolean {
  const { error, value } = vm.evalCode(code, FILE, ASYNC | COMPILE_ONLY) as {
    error?: QuickJSHandle
    value?: QuickJSHandle
  }
  error?.dispose()
  value?.dispose()
  return !error
}

function late(timeMs: number): string {
  return `The code ran longer than ${timeMs / 1000} s and was stopped.`
}
