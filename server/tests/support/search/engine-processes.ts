import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { SearchEngine } from '../../../src/search/engine.ts'
import { bareEnv } from '../processes/launch-server.ts'
import type { EngineCall, EngineReply } from './engine-process.ts'

export interface EngineProcess {
  engine: SearchEngine
  /** Errors in the background. */
  errors: string[]
  kill(): Promise<void>
}

/** A search engine in a process of its own, as one server among several has it; it ends with the test. */
export async function startEngineProcess(settings: Record<string, string>): Promise<EngineProcess> {
  const script = fileURLToPath(new URL('engine-process.ts', import.meta.url))
  const env = { ...bareEnv(), ...settings }
  const child = fork(script, { env, serialization: 'advanced' })
  const exited = once(child, 'exit')
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  const errors: string[] = []
  let count = 0
  child.on('message', ({ id, result, error }: EngineReply) => {
    const call = id === undefined ? undefined : waiting.get(id)
    if (call && error === undefined) call.resolve(result)
    else if (call) call.reject(new Error(error))
    else if (error !== undefined) errors.push(error)
  })
  child.on('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error('the process has ended'))
  })

  function ask(method: EngineCall['method'], args: unknown[]): Promise<unknown> {
    const id = ++count
    const call = Promise.withResolvers<unknown>()
    waiting.set(id, call)
    child.send({ id, method, args } satisfies EngineCall)
    return call.promise.finally(() => waiting.delete(id))
  }

  async function kill() {
    child.kill('SIGKILL')
    await exited
  }
  onTestFinished(kill)
  await Promise.race([once(child, 'message'), exited.then(() => Promise.reject(new Error('it ended at its start')))])

  const engine = new Proxy({} as SearchEngine, {
    get: (_, method: EngineCall['method']) =>
      (method as string) === 'then' ? undefined : (...args: unknown[]) => ask(method, args),
  })
  return { engine, errors, kill }
}
