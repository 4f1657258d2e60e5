import type { ComponentProps } from 'react'
import { isRunning } from '../../answers/live-answer.ts'
import { TurnSlot } from '../turn/turn-slot.tsx'
import type { Turn } from '../turns.ts'
import { EarlierTurns } from './earlier-turns.tsx'
import type { Thread } from './use-thread.ts'

interface ThreadColumnProps {
  thread: Thread
  className: string
  /** Further properties of a turn. */
  slot: (turn: Turn) => Partial<ComponentProps<typeof TurnSlot>>
}

/** Questions and answers, one below the other; scrolls by itself. */
export function ThreadColumn({ thread, className, slot }: ThreadColumnProps) {
  const { scroller, content, history, answers, turns, path, watch, openSource, onAskAgain } = thread
  const isBusy = answers.some(isRunning)
  return (
    <div ref={scroller} className="relative min-h-0 flex-1 overflow-y-auto scroll-quiet">
      <div ref={content} className={className}>
        <EarlierTurns history={history} scroller={scroller} />
        {turns.map((turn) => (
          <TurnSlot
            key={turn.id}
            watch={watch}
            path={path}
            turn={turn}
            isBusy={isBusy}
            onOpenSource={openSource}
            onAskAgain={onAskAgain}
            {...slot(turn)}
          />
        ))}
      </div>
    </div>
  )
}
