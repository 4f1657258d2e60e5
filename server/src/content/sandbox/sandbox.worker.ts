import { parentPort, workerData } from 'node:worker_threads'
import variant from '@jitl/quickjs-ng-wasmfile-release-sync'
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core'
import { BOOTSTRAP } from './bootstrap.ts'
import { type BoundedMemory, createBoundedMemory } from './bounded-memory.ts'
import type { SandboxResult, SandboxTask } from './sandbox-messages.ts'

// The thread in which code of a model runs: QuickJS, compiled to WebAssembly, with nothing of this process in it.
const MB = 1024 * 1024
const STACK_BYTES = 1024 * 1024
const FILE = 'code.js'
/** Flags of QuickJS: compile and do not run; allow await, and give a promise of `{ value }`. */
const COMPILE_ONLY = 1 << 5
const ASYNC = 1 << 7
const JOBS_AT_ONCE = 1000
/** Extra time to show a result that came at the last moment. */
const MORE_TIME_MS = 300
const NEVER = 'The code awaits something that never comes: there are no timers, no network and no events here.'

async function run(task: SandboxTask): Promise<SandboxResult> {
  // All that QuickJS ever holds is in here. Its own limit does not hold the code: what it counts for a block is 8 bytes,
  // whatever its size, because WebAssembly cannot tell how large a block is.
  const memory = createBoundedMemory(task.limits.memoryBytes)
  // The package's types describe its CommonJS side.
  const bounded = newVariant(variant as unknown as QuickJSSyncVariant, { wasmMemory: memory.wasmMemory })
  return new SandboxRun(await newQuickJSWASMModuleFromVariant(bounded), memory, task).result()
}

/** One run of code in a context of its own. */
class SandboxRun {
  readonly #runtime: QuickJSRuntime
  readonly #vm: QuickJSContext
  readonly #memory: BoundedMemory
  readonly #task: SandboxTask
  readonly #result: SandboxResult = { console: [], isCut: false }
  readonly #show: QuickJSHandle
  /** Characters that still fit into the result. */
  #room: number
  /** Infinite at first, because the code's own time begins with it: what comes before may wait for a processor. */
  #deadline = Number.POSITIVE_INFINITY

  constructor(quickJs: QuickJSWASMModule, memory: BoundedMemory, task: SandboxTask) {
    this.#memory = memory
    this.#task = task
    this.#room = task.limits.outputCharacters
    this.#runtime = quickJs.newRuntime()
    this.#runtime.setMaxStackSize(STACK_BYTES)
    this.#runtime.setInterruptHandler(() => this.#isLate())
    this.#vm = this.#runtime.newContext()
    this.#show = this.#createConsole()
  }

  result(): SandboxResult {
    const { code, limits } = this.#task
    const vm = this.#vm
    const source = readable(vm, code)
    this.#deadline = performance.now() + limits.timeMs
    const evaluated = vm.evalCode(source, FILE, ASYNC)
    if (evaluated.error) {
      this.#fail(evaluated.error)
      return this.#result
    }
    const done = this.#settle(evaluated.value)
    // The last expression may be the call of an async function.
    const value = done && this.#settle(vm.getProp(done, 'value'))
    if (!value || vm.typeof(value) === 'undefined') return this.#result
    const shown = this.#tryToShow(value)
    if (shown.error) this.#result.error = this.#fit(`The value cannot be shown: ${this.#messageOf(shown.error)}`)
    else this.#result.value = this.#fit(vm.getString(shown.value))
    return this.#result
  }

  /** Gives the code `console` and `input`. @returns the function that makes a text of a value */
  #createConsole(): QuickJSHandle {
    const vm = this.#vm
    const { input, limits } = this.#task
    const print = vm.newFunction('print', (line) => this.#print(line))
    return vm.unwrapResult(
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
  }

  /** @returns whether there is room for more */
  #print(line: QuickJSHandle): QuickJSHandle {
    if (this.#room > 0) {
      this.#result.console.push(this.#fit(this.#vm.getString(line)))
      // The end of the line counts, too: empty lines do not come without end.
      this.#room = Math.max(0, this.#room - 1)
    } else this.#result.isCut = true
    return this.#result.isCut ? this.#vm.false : this.#vm.true
  }

  #fit(text: string): string {
    if (text.length > this.#room) this.#result.isCut = true
    const part = text.slice(0, this.#room)
    this.#room -= part.length
    return part
  }

  #isLate(): boolean {
    return performance.now() > this.#deadline
  }

  /** Describes a value without unwrapping it, which would bring an error of any size into this thread. */
  #tryToShow(value: QuickJSHandle) {
    this.#deadline = performance.now() + MORE_TIME_MS
    return this.#vm.callFunction(this.#show, this.#vm.undefined, value)
  }

  #messageOf(error: QuickJSHandle): string {
    const tooMuch = `The code took more than ${this.#task.limits.memoryBytes / MB} MB.`
    const shown = this.#tryToShow(error)
    if (shown.error) return this.#memory.isFull() ? tooMuch : 'an error that cannot be shown'
    const message = this.#vm.getString(shown.value)
    // QuickJS throws null where there is no room for the error that says so.
    const hadNoRoom = message === 'null' && this.#memory.isFull()
    return hadNoRoom || /out of memory/.test(message) ? tooMuch : message
  }

  #fail(error: QuickJSHandle): void {
    const wasLate = this.#isLate()
    const message = this.#messageOf(error)
    const isInterrupted = wasLate && /interrupted/.test(message)
    this.#result.error = this.#fit(isInterrupted ? timeoutMessage(this.#task.limits.timeMs) : message)
  }

  /** Runs what is to be run until the promise has its value, or the reason why it has none is recorded. */
  #settle(promise: QuickJSHandle): QuickJSHandle | undefined {
    while (this.#runtime.hasPendingJob() && !this.#isLate()) {
      const jobs = this.#runtime.executePendingJobs(JOBS_AT_ONCE)
      if (!jobs.error) continue
      this.#fail(jobs.error)
      return undefined
    }
    const state = this.#vm.getPromiseState(promise)
    if (state.type === 'fulfilled') return state.value
    if (state.type === 'rejected') this.#fail(state.error)
    else this.#result.error = this.#isLate() ? timeoutMessage(this.#task.limits.timeMs) : NEVER
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

function timeoutMessage(timeMs: number): string {
  return `The code ran longer than ${timeMs / 1000} s and was stopped.`
}

parentPort!.postMessage(await run(workerData as SandboxTask))
