import { createStore, useStore } from '../../platform/state/store.ts'

const KEY = 'docent.sidebar'

const isFolded = createStore(read())

/** Whether the sidebar is folded on wide screens; this browser remembers it. */
export const useIsFolded = (): boolean => useStore(isFolded)

export function foldSidebar(folded: boolean): void {
  isFolded.set(folded)
  try {
    localStorage.setItem(KEY, folded ? 'folded' : 'open')
  } catch {
    // Storage is disabled: it is as it was at the next visit.
  }
}

function read(): boolean {
  try {
    return localStorage.getItem(KEY) === 'folded'
  } catch {
    return false
  }
}
