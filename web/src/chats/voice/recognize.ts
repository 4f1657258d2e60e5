import { t } from '@lingui/core/macro'
import { ExplainedError } from '../../platform/errors.ts'
import type { SpeechRecognizer } from '../../platform/voice.ts'
import type { Hearing, Listener } from './hearing.ts'

/** The browser has recognition, but not what it needs for that: Chromium without its maker's servers. */
export class RecognitionMissingError extends ExplainedError {
  override name = 'RecognitionMissingError'
}

/** Has the browser transcribe what is said, until it is stopped. */
export function recognize(Recognizer: new () => SpeechRecognizer, listener: Listener): Hearing {
  const recognizer = new Recognizer()
  let failure: unknown
  let isCancelled = false
  // Browsers know no language by itself: people mostly ask in that of their browser.
  recognizer.lang = navigator.language
  recognizer.continuous = true
  recognizer.onresult = ({ resultIndex, results }) => {
    if (isCancelled) return
    for (let index = resultIndex; index < results.length; index++) {
      const result = results[index]!
      if (result.isFinal) listener.onSaid(result[0]!.transcript)
    }
  }
  recognizer.onerror = ({ error }) => {
    failure = errorOf(error)
  }
  recognizer.onend = () => listener.onEnd(isCancelled ? undefined : failure)
  recognizer.start()
  return {
    stop() {
      listener.onWriting()
      recognizer.stop()
    },
    cancel() {
      isCancelled = true
      recognizer.abort()
    },
  }
}

function errorOf(code: string): Error | undefined {
  switch (code) {
    case 'aborted':
    case 'no-speech':
      return undefined
    case 'not-allowed':
      return notAllowed()
    case 'audio-capture':
      return noMicrophone()
    case 'language-not-supported':
      return new RecognitionMissingError(t`The browser cannot transcribe this language.`)
    default:
      return new RecognitionMissingError(t`The browser’s speech recognition does not respond.`)
  }
}

export const notAllowed = () =>
  new ExplainedError(
    t`The browser does not give this page the microphone. Allow it in the browser’s settings for this site.`,
  )

export const noMicrophone = () => new ExplainedError(t`No microphone was found.`)
