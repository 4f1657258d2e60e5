import type { ReactNode } from 'react'
import {
  Announcement,
  type ChatPath,
  SourcePanel,
  ThreadColumn,
  ToEndButton,
  type Turn,
  useThread,
} from '../../chats/chats.ts'

interface SideThreadProps {
  path: ChatPath
  name: string
  after: (turn: Turn, path: ChatPath) => ReactNode
}

/** Questions and answers of a chat, in a narrow column. */
export function SideThread({ path, name, after }: SideThreadProps) {
  const thread = useThread(path)
  const { turns, source, closeSource, isScrolledUp, toEnd } = thread
  return (
    <>
      <ThreadColumn
        thread={thread}
        className="space-y-10 px-4 py-6"
        slot={() => ({ after, className: 'side-turn space-y-3' })}
      />
      {isScrolledUp && <ToEndButton onClick={toEnd} />}
      <Announcement turn={turns.at(-1)} agentName={name} />
      {source && (
        <div className="absolute inset-y-0 right-0 z-10 flex max-w-full shadow-raised">
          <SourcePanel citation={source} answer={thread.answer} onClose={closeSource} />
        </div>
      )}
    </>
  )
}
