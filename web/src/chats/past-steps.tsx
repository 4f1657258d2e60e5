import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { docent } from '../access/session.ts'
import { explain } from '../platform/errors.ts'
import { Spinner } from '../ui/button.tsx'
import { cx } from '../ui/class-names.ts'
import { ChevronRight } from '../ui/icons.ts'
import type { ChatPath } from './chats.queries.ts'
import { addEvent, beginAnswer, type Step } from './live-answer.ts'
import { isOutcome } from './live-answers.ts'
import { Steps } from './steps.tsx'

/** How an answer came about that was read from the history: its events are read once somebody wants to know. */
export function PastSteps({ path, messageId }: { path: ChatPath; messageId: string }) {
  const [isOpen, setOpen] = useState(false)
  const { data: steps, error } = useQuery({
    queryKey: ['steps', messageId],
    queryFn: ({ signal }) => readSteps(path, messageId, signal),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: isOpen,
  })
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="flex max-w-max list-none items-center gap-1 rounded-control pr-2 text-sm text-muted hover:text-ink pointer-coarse:py-1.5 [&::-webkit-details-marker]:hidden">
        <ChevronRight size={14} className={cx('transition-transform', isOpen && 'rotate-90')} aria-hidden />
        How this answer came about
      </summary>
      {isOpen && (
        <div className="mt-1 ml-1.75 border-l-2 border-line pl-4">
          {error && <p className="text-sm text-bad">{explain(error)}</p>}
          {!steps && !error && <Spinner label="Reading the steps" />}
          {steps?.length === 0 && <p className="text-sm text-muted">It was answered without thoughts and tools.</p>}
          {steps && steps.length > 0 && <Steps steps={steps} />}
        </div>
      )}
    </details>
  )
}

export async function readSteps(path: ChatPath, messageId: string, signal: AbortSignal): Promise<Step[]> {
  let answer = beginAnswer(path, messageId, '')
  try {
    const events = docent().chats.messages.events(path.agentId, path.chatId, messageId, undefined, { signal })
    // All come at once: what they tell of time is only theirs.
    for await (const event of events) answer = addEvent(answer, event, 0)
  } catch (error) {
    // A run that failed ends its stream with its error, which the message tells, too.
    if (!isOutcome(error)) throw error
  }
  return answer.steps.map((step) => ({ ...step, isDone: true }))
}
