import { type ReactNode, useCallback, useMemo, useRef } from 'react'
import { isVisitor } from '../../access/access.ts'
import {
  Announcement,
  type Ask,
  ask,
  askAgain,
  askInPlace,
  type ChatPath,
  EarlierTurns,
  SourcePanel,
  ToEndButton,
  type Turn,
  TurnSlot,
  toAsk,
  useFollowScroll,
  useNearness,
  useTurns,
} from '../../chats/chats.ts'
import { explain } from '../../platform/errors.ts'
import { toast } from '../../ui/overlays/toasts.tsx'

interface SideThreadProps {
  path: ChatPath
  name: string
  after: (turn: Turn, path: ChatPath) => ReactNode
}

/** Questions and answers of a chat, in a narrow column. */
export function SideThread({ path: { agentId, chatId }, name, after }: SideThreadProps) {
  const path = useMemo(() => ({ agentId, chatId }), [agentId, chatId])
  const { history, live, turns, source, openSource, closeSource } = useTurns(path)
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const { isScrolledUp, toEnd } = useFollowScroll(scroller, content)
  const watch = useNearness(scroller)
  const onAskAgain = useCallback(
    (turn: Turn, question?: Ask) => {
      const refused = live.get(turn.id)
      if (turn.state === 'refused' && refused) askAgain(refused)
      // Visitors may not delete messages, so the old question stays.
      else if (isVisitor()) ask(path, question ?? toAsk(turn))
      else askInPlace(path, turn, question).catch((error) => toast(explain(error), { isError: true }))
    },
    [live, path],
  )
  return (
    <>
      <div ref={scroller} className="relative min-h-0 flex-1 overflow-y-auto scroll-quiet">
        <div ref={content} className="space-y-10 px-4 py-6">
          <EarlierTurns history={history} />
          {turns.map((turn) => (
            <TurnSlot
              key={turn.id}
              watch={watch}
              path={path}
              turn={turn}
              onOpenSource={openSource}
              onAskAgain={onAskAgain}
              after={after}
              className="side-turn space-y-3"
            />
          ))}
        </div>
      </div>
      {isScrolledUp && <ToEndButton onClick={toEnd} />}
      <Announcement turn={turns.at(-1)} agentName={name} />
      {source && (
        <div className="absolute inset-y-0 right-0 z-10 flex max-w-full shadow-raised">
          <SourcePanel citation={source} onClose={closeSource} />
        </div>
      )}
    </>
  )
}
