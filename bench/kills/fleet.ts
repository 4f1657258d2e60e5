import type { KilledServer } from './server.ts'

/** Processes of one installation, each of which is started again after it was killed. */
export interface Fleet {
  /** The next server that is up, in turn, as behind a balancer; waits while none is. */
  next(): Promise<KilledServer>
  /** Kills these processes at the same moment and starts them again. @returns when they are up */
  kill(indexes: number[]): Promise<void>
  /** Kills all for good. */
  end(): Promise<void>
}

/** @param start starts a process and waits until it is ready */
export async function startFleet(count: number, start: () => Promise<KilledServer>): Promise<Fleet> {
  const starts = Array.from({ length: count }, start)
  const up = new Set<KilledServer>(await Promise.all(starts))
  let turn = 0

  async function next(): Promise<KilledServer> {
    const servers = up.size > 0 ? [...up] : [await Promise.race(starts)]
    return servers[turn++ % servers.length]!
  }

  async function restart(index: number): Promise<void> {
    const server = await starts[index]!
    up.delete(server)
    const restarted = server.kill().then(start)
    starts[index] = restarted
    up.add(await restarted)
  }

  return {
    next,
    async kill(indexes) {
      await Promise.all(indexes.map(restart))
    },
    async end() {
      await Promise.all(starts.map(async (server) => (await server).kill()))
    },
  }
}
