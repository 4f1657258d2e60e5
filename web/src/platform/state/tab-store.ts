import { createStore, type Store } from './store.ts'

/** Creates a store that survives a reload, in the tab's session storage. @param key in that storage */
export function createTabStore<T>(key: string, initial: T): Store<T> {
  const store = createStore<T>(read(key) ?? initial)
  store.subscribe(() => {
    try {
      sessionStorage.setItem(key, JSON.stringify(store.get()))
    } catch {
      // Storage is disabled: the state lasts as long as the page.
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
