import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { docent, isVisitor, useWorkspaceId } from '../../access/access.ts'
import { explain } from '../../platform/errors.ts'
import { canRecord, findRecognizer } from '../../platform/voice.ts'
import { cx } from '../../ui/class-names.ts'
import { IconButton, Spinner } from '../../ui/controls/button.tsx'
import { Mic } from '../../ui/icons.ts'
import { toast } from '../../ui/overlays/toasts.tsx'
import type { Hearing, Listener } from './hearing.ts'
import { RecognitionMissingError, recognize } from './recognize.ts'
import { record } from './record.ts'

interface DictateButtonProps {
  /** Called with each stretch of words. */
  onSaid: (words: string) => void
  /** Whether an answer is on its way: it would be heard, too, if it is read aloud. */
  isBusy: boolean
}

/** Whether the recognition of this browser has failed since the page was loaded. */
let isRecognizerBroken = false

/** Starts and stops dictation. There is no button where neither the browser nor a provider transcribes what is said. */
export function DictateButton({ onSaid, isBusy }: DictateButtonProps) {
  const [state, setState] = useState<'idle' | 'hearing' | 'writing'>('idle')
  const hearing = useRef<Hearing | null>(null)
  const start = useWayToHear()
  useEffect(() => () => hearing.current?.cancel(), [])
  useEffect(() => {
    if (isBusy) hearing.current?.stop()
  }, [isBusy])

  function begin(hear: (listener: Listener) => Hearing) {
    setState('hearing')
    hearing.current = hear({
      onSaid,
      onWriting: () => setState('writing'),
      onEnd(error) {
        hearing.current = null
        setState('idle')
        if (error instanceof RecognitionMissingError) isRecognizerBroken = true
        if (error) toast(explain(error), { isError: true })
      },
    })
  }

  if (!start && state === 'idle') return null
  if (state === 'writing')
    return (
      <span className="mb-0.5 inline-flex size-8 shrink-0 items-center justify-center text-muted pointer-coarse:size-10">
        <Spinner label={t`Writing down what you said`} />
      </span>
    )
  const isHearing = state === 'hearing'
  return (
    <>
      <span role="status" className="sr-only">
        {isHearing && t`Listening`}
      </span>
      <IconButton
        label={isHearing ? t`Stop dictating` : t`Dictate`}
        icon={Mic}
        aria-pressed={isHearing}
        className={cx('mb-0.5', isHearing && 'animate-pulse bg-accent-soft !text-accent')}
        onClick={() => (isHearing ? hearing.current?.stop() : start && begin(start))}
      />
    </>
  )
}

/** The browser's recognition, else that of the provider; undefined where there is neither. */
function useWayToHear(): ((listener: Listener) => Hearing) | undefined {
  const workspaceId = useWorkspaceId()
  const Recognizer = findRecognizer()
  const isOwn = Recognizer !== undefined && !isRecognizerBroken
  const { data } = useQuery({
    queryKey: ['transcription', workspaceId],
    queryFn: () => docent().transcription.get(),
    enabled: !isOwn && canRecord() && !isVisitor(),
  })
  if (isOwn) return (listener) => recognize(Recognizer, listener)
  if (data?.is_available) return record
  return Recognizer && ((listener) => recognize(Recognizer, listener))
}
