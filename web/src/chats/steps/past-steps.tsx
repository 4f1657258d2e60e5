import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { docent } from '../../access/access.ts'
import { explain } from '../../platform/errors.ts'
import { Spinner } from '../../ui/controls/button.tsx'
import { Fold } from '../../ui/layout/fold.tsx'
import { addEvent, beginAnswer, type Step } from '../answers/live-answer.ts'
import { isOutcome } from '../answers/live-answers.ts'
import type { ChatPath } from '../chats.queries.ts'
import { Steps } from './steps.tsx'

interface PastStepsProps {
  path: ChatPath
  messageId: string
  question: string
}

/** Steps of an answer from the history: its events are read when somebody opens them. */
export function PastSteps(props: PastStepsProps) {
  return (
    <Fold summary={t`How this answer came about`} className="text-sm">
      <StepsRead {...props} />
    </Fold>
  )
}

function StepsRead({ path, messageId, question }: PastStepsProps) {
  const { data: steps, error } = useQuery({
    queryKey: ['steps', messageId],
    queryFn: ({ signal }) => readSteps(path, messageId, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <div className="mt-1 ms-1.75 border-s-2 border-line ps-4">
      {error && <p className="text-bad">{explain(error)}</p>}
      {!steps && !error && <Spinner label={t`Reading the steps`} />}
      {steps?.length === 0 && (
        <p className="text-muted">
          <Trans>It was answered without thoughts and tools.</Trans>
        </p>
      )}
      {steps && steps.length > 0 && <Steps steps={steps} question={question} />}
    </div>
  )
}

export async function readSteps(path: ChatPath, messageId: string, signal: AbortSignal): Promise<Step[]> {
  let answer = beginAnswer(path, messageId, '')
  try {
    const events = docent().chats.messages.events(path.agentId, path.chatId, messageId, undefined, { signal })
    // All events arrive at once, so their own times are used.
    for await (const event of events) answer = addEvent(answer, event, 0)
  } catch (error) {
    // The stream of a failed run ends with its error, which the message has, too.
    if (!isOutcome(error)) throw error
  }
  return answer.steps.map((step) => ({ ...step, isDone: true }))
}
