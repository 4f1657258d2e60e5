import { useEffect, useState } from 'react'
import { answerInWords, loadServerWords } from '../../../platform/server-words.ts'
import { unawaited } from '../../../ui/unawaited.ts'

/** Says why an answer failed, in the language of the UI once its words are loaded. */
export function AnswerFailure({ message }: { message: string }) {
  const [, setLoaded] = useState(false)
  useEffect(() => unawaited(loadServerWords().then(() => setLoaded(true))), [])
  return answerInWords(message) ?? message
}
