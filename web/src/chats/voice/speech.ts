import { createStore, useStore } from '../../platform/state/store.ts'
import { languageOf } from './language-of.ts'
import { speechParts } from './speech-parts.ts'

/** Id of the answer that is being read. */
const reading = createStore<string | null>(null)

export const useReading = (): string | null => useStore(reading)

/** Reads an answer in its own language, in place of one that is being read; in that of the page where it does not tell. */
export function readAloud(id: string, markdown: string): { hasVoice: boolean; language: string } {
  stopReading()
  const language = languageOf(markdown) ?? document.documentElement.lang
  const voices = speechSynthesis.getVoices()
  const voice = voices.find(({ lang }) => lang.toLowerCase().split(/[-_]/)[0] === language)
  const parts = speechParts(markdown, language)
  const utterances = parts.map((part) => {
    const utterance = new SpeechSynthesisUtterance(part)
    utterance.lang = voice?.lang ?? language
    if (voice) utterance.voice = voice
    return utterance
  })
  const end = () => reading.get() === id && reading.set(null)
  for (const utterance of utterances)
    utterance.addEventListener('error', ({ error }) => {
      // A stopped reading tells of its end late, when another one may have begun.
      if (error !== 'canceled' && error !== 'interrupted') end()
    })
  utterances.at(-1)?.addEventListener('end', end)
  if (utterances.length > 0) reading.set(id)
  for (const utterance of utterances) speechSynthesis.speak(utterance)
  // Some browsers tell their voices only after the first one was used.
  return { hasVoice: voices.length === 0 || voice !== undefined, language }
}

/** @param id answer to stop, if it is the one that is being read; absent: whichever is */
export function stopReading(id?: string): void {
  if (id !== undefined && reading.get() !== id) return
  reading.set(null)
  speechSynthesis.cancel()
}
