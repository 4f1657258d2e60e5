import { afterAll, beforeAll, expect } from 'vitest'

/** Set when LanceDB is first loaded, for good. */
const SET_ONCE = /^LANCE(DB)?_/

/** State of the process, which all files that share it see. */
function stateOfProcess() {
  const umask = process.umask(0o077)
  process.umask(umask)
  return {
    environment: Object.fromEntries(Object.entries(process.env).filter(([name]) => !SET_ONCE.test(name))),
    workingFolder: process.cwd(),
    umask,
    // Fake timers and spies are others.
    builtIns: [fetch, Date, Date.now, Math.random, setTimeout, clearTimeout, setInterval, setImmediate, console.log],
    prototypes: [Object, Array, Function, String, Promise].map(({ prototype }) => Reflect.ownKeys(prototype).length),
  }
}

let before: ReturnType<typeof stateOfProcess> | undefined

beforeAll(() => {
  before = stateOfProcess()
})

/** Files share a process and its modules: each has to leave what is not its own as it was. */
afterAll(() => expect(stateOfProcess()).toEqual(before))
