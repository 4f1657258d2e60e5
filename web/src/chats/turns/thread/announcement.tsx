import { t } from '@lingui/core/macro'
import { type ReactNode, useEffect, useState } from 'react'
import { reviewInWords } from '../../../agents/agents.ts'
import { AnswerFailure } from '../turn/answer-failure.tsx'
import type { Turn } from '../turns.ts'

const announcementFor = ({ state, review }: Turn, agentName: string) =>
  state === 'waiting' && review ? t`${agentName} waits for you: ${reviewInWords(review)}` : t`${agentName} is answering`

function endOf({ error, response }: Turn): ReactNode {
  if (error === null) return response
  return error === 'cancelled' ? t`This answer was stopped.` : <AnswerFailure message={error} />
}

/** Announces to screen readers that an answer is under way, and reads it when it is complete, not token by token. */
export function Announcement({ turn, agentName }: { turn: Turn | undefined; agentName: string }) {
  const isComing = turn && turn.state !== 'done' && turn.state !== 'refused'
  // An answer that is on its way when the chat opens is news, too: the first one of a new chat always is.
  const [seen] = useState(isComing ? undefined : turn?.id)
  // Screen readers tell only what changes after the region is there.
  const [isThere, setThere] = useState(false)
  useEffect(() => setThere(true), [])
  const isNew = isThere && turn !== undefined && turn.id !== seen
  return (
    <p aria-live="polite" className="sr-only">
      {isNew && (isComing ? announcementFor(turn, agentName) : endOf(turn))}
    </p>
  )
}
