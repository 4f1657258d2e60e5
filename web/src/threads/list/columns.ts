import { t } from '@lingui/core/macro'
import { createStore, useStore } from '../../platform/state/store.ts'

/** Optional columns, by key. */
export const OPTIONAL_COLUMNS = {
  type: t`Type`,
  people: t`People`,
  messages: t`Messages`,
  tokens: t`Tokens`,
  feedback: t`Feedback`,
  status: t`State`,
  created: t`Began`,
} as const

export interface ColumnChoice {
  hidden: string[]
  /** Metadata keys shown as columns. */
  metadata: string[]
}

const STORAGE_KEY = 'docent.thread-columns'
const choice = createStore<ColumnChoice>(read())

function read(): ColumnChoice {
  try {
    const stored = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null') as Partial<ColumnChoice> | null
    return { hidden: stored?.hidden ?? ['created'], metadata: stored?.metadata ?? [] }
  } catch {
    return { hidden: ['created'], metadata: [] }
  }
}

export const useColumnChoice = (): ColumnChoice => useStore(choice)

/** Chosen columns, stored in this browser. */
export function chooseColumns(next: ColumnChoice): void {
  choice.set(next)
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(next))
  } catch {
    // Storage is disabled: the choice lasts as long as the page.
  }
}
