/** Number of suspicious tasks that run together after two processes died over one. */
const TOGETHER = 16
/** Number of deaths after which a task runs alone: the next one is its fault. */
const ALONE_FROM = 3

/** @returns releases the permit. */
export type Leave = () => void

export interface Quarantine {
  /**
   * Waits until a task may work that was at work when `deaths` processes died. After one death it may at once: most
   * deaths have another reason, and nobody is to wait for that. Those with fewer deaths come first.
   * @returns undefined when the signal aborted before that
   */
  enter(deaths: number, signal: AbortSignal): Promise<Leave | undefined>
}

/** Narrows down which task takes its process down, without stopping all that were at work beside it. */
export function createQuarantine(): Quarantine {
  const waiting: { deaths: number; admit: () => void }[] = []
  let together = 0
  let isOneAlone = false

  const hasRoom = (deaths: number) => !isOneAlone && (deaths < ALONE_FROM ? together < TOGETHER : together === 0)

  /** Admits the next in a tick of its own, so that those arriving in the same tick are compared, too. */
  const admitNext = () => setImmediate(admitWaiting)

  function admitWaiting(): void {
    waiting.sort((a, b) => a.deaths - b.deaths)
    while (waiting[0] && hasRoom(waiting[0].deaths)) {
      const { deaths, admit } = waiting.shift()!
      if (deaths < ALONE_FROM) together++
      else isOneAlone = true
      admit()
    }
  }

  return {
    async enter(deaths, signal) {
      if (deaths < 2) return () => {}
      if (signal.aborted) return undefined
      const entered = Promise.withResolvers<boolean>()
      const waiter = { deaths, admit: () => entered.resolve(true) }
      const giveUp = () => {
        const index = waiting.indexOf(waiter)
        if (index < 0) return
        waiting.splice(index, 1)
        entered.resolve(false)
      }
      waiting.push(waiter)
      signal.addEventListener('abort', giveUp, { once: true })
      admitNext()
      const isIn = await entered.promise
      signal.removeEventListener('abort', giveUp)
      if (!isIn) return undefined
      let hasLeft = false
      return () => {
        if (hasLeft) return
        hasLeft = true
        if (deaths < ALONE_FROM) together--
        else isOneAlone = false
        admitNext()
      }
    },
  }
}
