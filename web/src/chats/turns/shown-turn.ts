/** Id of the element of a turn, which is there while the turn is drawn. */
export const turnElementId = (messageId: string): string => `turn-${messageId}`

/** Id of the place of a turn in its chat, which is always there. */
export const slotElementId = (messageId: string): string => `slot-${messageId}`

/** Whether the open chat has the turn, drawn or not. */
export const isTurnHere = (messageId: string): boolean => document.getElementById(slotElementId(messageId)) !== null

/** Scrolls to a turn of the open chat, and focuses it once it is drawn. */
export function showTurn(messageId: string): void {
  let tries = 0
  const show = () => {
    document.getElementById(slotElementId(messageId))?.scrollIntoView({ block: 'start' })
    const turn = document.getElementById(turnElementId(messageId))
    if (!turn && tries++ < 200) return requestAnimationFrame(show)
    turn?.scrollIntoView({ block: 'start' })
    turn?.focus({ preventScroll: true })
    return undefined
  }
  requestAnimationFrame(show)
}
