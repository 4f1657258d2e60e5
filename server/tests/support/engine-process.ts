import { toConfig } from '../../src/config.ts'
import type { SearchEngine } from '../../src/search/engine.ts'
import { createLanceEngine } from '../../src/search/lance/lance-engine.ts'
import { openStorage } from '../../src/storage.ts'

/** Asked by `startEngineProcess`: a method of the engine and its arguments. */
export interface EngineCall {
  id: number
  method: keyof SearchEngine
  args: unknown[]
}

export interface EngineReply {
  id?: number
  result?: unknown
  /** Without an id: what the engine said of its work in the background. */
  error?: string
}

const tell = (reply: EngineReply) => process.send!(reply)

const { dataDir, s3 } = toConfig(process.env)
const storage = await openStorage({ dataDir, s3, isShared: true })
const engine = createLanceEngine({
  ...storage.search,
  shared: true,
  onBackgroundError: (error) => tell({ error: String(error) }),
})

process.on('message', ({ id, method, args }: EngineCall) => {
  const call = engine[method] as (...args: unknown[]) => Promise<unknown>
  call(...args).then(
    (result) => tell({ id, result }),
    (error) => tell({ id, error: String(error) }),
  )
})
tell({ id: 0 })
