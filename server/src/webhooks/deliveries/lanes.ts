/** How many deliveries a receiver gets at once from one organization. */
const LARGEST_LANE = 8

/** Receivers being delivered to in this process, so that a slow one takes up no more than its share. */
export interface Lanes {
  isFull(lane: string): boolean
  /** @returns false when the lane is full. */
  enter(lane: string): boolean
  leave(lane: string): void
}

export function createLanes(largest = LARGEST_LANE): Lanes {
  const taken = new Map<string, number>()
  const isFull = (lane: string) => (taken.get(lane) ?? 0) >= largest
  return {
    isFull,
    enter(lane) {
      if (isFull(lane)) return false
      taken.set(lane, (taken.get(lane) ?? 0) + 1)
      return true
    },
    leave(lane) {
      const left = (taken.get(lane) ?? 1) - 1
      if (left > 0) taken.set(lane, left)
      else taken.delete(lane)
    },
  }
}
