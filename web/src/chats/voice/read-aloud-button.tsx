import { t } from '@lingui/core/macro'
import { useEffect } from 'react'
import { LANGUAGE } from '../../platform/language.ts'
import { canSpeak } from '../../platform/voice.ts'
import { IconButton } from '../../ui/controls/button.tsx'
import { Square, Volume2 } from '../../ui/icons.ts'
import { toast } from '../../ui/overlays/toasts.tsx'
import { readAloud, stopReading, useReading } from './speech.ts'

/** Reads an answer aloud, and stops. It stops by itself when the answer leaves the page. */
export function ReadAloudButton({ id, text }: { id: string; text: string }) {
  const isReading = useReading() === id
  useEffect(() => () => stopReading(id), [id])
  if (!canSpeak()) return null

  function start() {
    const { hasVoice, language } = readAloud(id, text)
    const name = new Intl.DisplayNames(LANGUAGE, { type: 'language' }).of(language)
    if (!hasVoice) toast(t`This browser may have no voice for this language: ${name ?? language}.`)
  }
  return isReading ? (
    <IconButton label={t`Stop reading`} icon={Square} className="!text-accent" onClick={() => stopReading()} />
  ) : (
    <IconButton label={t`Read aloud`} icon={Volume2} onClick={start} />
  )
}
