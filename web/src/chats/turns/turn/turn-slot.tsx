import { type ComponentProps, memo, type ReactNode, startTransition, useEffect, useRef, useState } from 'react'
import type { ChatPath } from '../../chats.queries.ts'
import { slotElementId } from '../shown-turn.ts'
import type { Watch } from '../thread/nearness.ts'
import type { Turn } from '../turns.ts'
import { TurnView } from './turn-view.tsx'

/** Height of a turn that was never drawn, in pixels: about that of a short answer. */
const EXPECTED_HEIGHT = 320

interface TurnSlotProps extends ComponentProps<typeof TurnView> {
  watch: Watch
  /** Shown below the turn. */
  after?: (turn: Turn, path: ChatPath) => ReactNode
  className?: string
}

/**
 * Place of a turn in a chat. The turn is in the page only while it is near what is seen, or somebody is at work in it, or
 * it is not over; otherwise its place has the height that it had. So a chat of a thousand turns costs what a few do.
 */
export const TurnSlot = memo(({ watch, after, className, ...props }: TurnSlotProps) => {
  const { turn, path, isLast = false, isEdited = false } = props
  const slot = useRef<HTMLDivElement>(null)
  /** Height of the place of a turn that is not drawn; null while it is. */
  const [height, setHeight] = useState<number | null>(isLast ? null : EXPECTED_HEIGHT)
  useEffect(
    () =>
      watch(slot.current!, (isNear, lastHeight) => {
        const isDrawn = isNear || isHeld(slot.current!)
        // Drawing gives way to keys and clicks.
        startTransition(() => setHeight(isDrawn ? null : lastHeight))
      }),
    [watch],
  )
  const isKept = isLast || isEdited || turn.state !== 'done'
  const isDrawn = isKept || height === null
  return (
    <div ref={slot} id={slotElementId(turn.id)} className={className} style={isDrawn ? undefined : { height }}>
      {isDrawn && (
        <>
          <TurnView {...props} />
          {after?.(turn, path)}
        </>
      )}
    </div>
  )
})

/** Whether the keyboard or a selection is in it. */
function isHeld(slot: HTMLElement): boolean {
  const selection = document.getSelection()
  const isSelected = selection !== null && !selection.isCollapsed && selection.containsNode(slot, true)
  return isSelected || slot.contains(document.activeElement)
}
