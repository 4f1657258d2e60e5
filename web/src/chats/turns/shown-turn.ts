/** Id of the element of a turn. */
export const turnElementId = (messageId: string): string => `turn-${messageId}`

/** Scrolls to a turn and focuses it, once it is drawn: older ones are drawn when the browser is idle. */
export function showTurn(messageId: string): void {
  let tries = 0
  const show = () => {
    const turn = document.getElementById(turnElementId(messageId))
    if (!turn && tries++ < 200) return requestAnimationFrame(show)
    turn?.scrollIntoView({ block: 'start' })
    turn?.focus({ preventScroll: true })
    return undefined
  }
  requestAnimationFrame(show)
}
