import { createStore, useStore } from './state/store.ts'

/** Uses of speech that a person turned on, in this browser: it has the microphone, and the voices. */
export interface VoiceChoice {
  /** Whether questions can be dictated. */
  dictates: boolean
  /** Whether answers can be read aloud. */
  reads: boolean
}

const STORAGE_KEY = 'docent.voice'
const OFF: VoiceChoice = { dictates: false, reads: false }

const choice = createStore(stored())

function stored(): VoiceChoice {
  try {
    const { dictates, reads } = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}') as Partial<VoiceChoice>
    return { dictates: dictates === true, reads: reads === true }
  } catch {
    return OFF
  }
}

/** Keeps the choice, at least until the page is left. */
export function chooseVoice(next: VoiceChoice): void {
  choice.set(next)
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(next))
  } catch {
    // Storage is disabled.
  }
}

export const useVoiceChoice = (): VoiceChoice => useStore(choice)

/** Part of the recognition of speech that browsers have, which TypeScript does not describe. */
export interface SpeechRecognizer {
  lang: string
  continuous: boolean
  onresult: ((event: { resultIndex: number; results: SpeechRecognitionResultList }) => void) | null
  onerror: ((event: { error: string }) => void) | null
  onend: (() => void) | null
  start(): void
  stop(): void
  abort(): void
}

/** The browser's own recognition of speech; undefined where it has none, or lends no microphone to this page. */
export function findRecognizer(): (new () => SpeechRecognizer) | undefined {
  const { SpeechRecognition, webkitSpeechRecognition } = globalThis as Record<string, unknown>
  if (!isSecureContext) return undefined
  return (SpeechRecognition ?? webkitSpeechRecognition) as (new () => SpeechRecognizer) | undefined
}

/** Whether the browser can record: only on pages that come over HTTPS, or from this machine. */
export const canRecord = (): boolean =>
  typeof MediaRecorder !== 'undefined' && navigator.mediaDevices?.getUserMedia !== undefined

export const canSpeak = (): boolean => 'speechSynthesis' in globalThis
