import type { Citation } from '@docent/sdk'
import { useMemo } from 'react'
import { Notice } from '../../ui/notices/notice.tsx'
import { RichText } from '../text/rich-text.tsx'
import { AnswerFailure } from '../turns/turn/answer-failure.tsx'
import { StoppedNote } from '../turns/turn/stopped-note.tsx'
import { CitationsContext } from './citations-context.ts'
import { SourceList } from './source-list.tsx'

interface CitedAnswerProps {
  message: { response: string; citations: Citation[]; error_message: string | null }
  /** Whether more of it comes. */
  isPending?: boolean
  onOpenSource: (index: number) => void
}

/** Stored answer with its sources, or with what went wrong, for reading. */
export function CitedAnswer({ message, isPending = false, onOpenSource }: CitedAnswerProps) {
  const { response, citations, error_message } = message
  const context = useMemo(
    () => ({ all: citations, isPending, open: onOpenSource }),
    [citations, isPending, onOpenSource],
  )
  return (
    <>
      {response && (
        <div className="prose text-base">
          <CitationsContext value={context}>
            <RichText text={response} />
          </CitationsContext>
        </div>
      )}
      {error_message === 'cancelled' && <StoppedNote />}
      {error_message !== null && error_message !== 'cancelled' && (
        <Notice>
          <AnswerFailure message={error_message} />
        </Notice>
      )}
      {citations.length > 0 && <SourceList citations={citations} onOpen={onOpenSource} />}
    </>
  )
}
