import { createStore, type Store } from './store.ts'

/** A store that outlives a reload of its page, in the browser's tab. @param key of the tab's storage */
export function createTabStore<T>(key: string, initial: T): Store<T> {
  const store = createStore<T>(read(key) ?? initial)
  store.subscribe(() => {
    try {
      sessionStorage.setItem(key, JSON.stringify(store.get()))
    } catch {
      // Storage is switched off: the page itself remembers.
    }
  })
  return store
}

function read<T>(key: string): T | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}
