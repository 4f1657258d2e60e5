import { useSyncExternalStore } from 'react'

export type ThemeChoice = 'light' | 'dark' | 'system'

const STORAGE_KEY = 'docent.theme'

function read(): ThemeChoice {
  try {
    return (localStorage.getItem(STORAGE_KEY) as ThemeChoice | null) ?? 'system'
  } catch {
    return 'system'
  }
}

/** Stores the choice and lets /theme.js, which ran before the first paint, apply it. */
export function chooseTheme(choice: ThemeChoice): void {
  try {
    if (choice === 'system') localStorage.removeItem(STORAGE_KEY)
    else localStorage.setItem(STORAGE_KEY, choice)
  } catch {
    // Storage is disabled: the system's theme applies.
  }
  dispatchEvent(new Event('docent:theme'))
}

function subscribe(listener: () => void): () => void {
  addEventListener('docent:theme', listener)
  return () => removeEventListener('docent:theme', listener)
}

export const useThemeChoice = (): ThemeChoice => useSyncExternalStore(subscribe, read)
