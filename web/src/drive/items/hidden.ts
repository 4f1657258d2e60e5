import { createStore, useStore } from '../../platform/state/store.ts'

/** Ids of files and folders that are hidden at once because they are being deleted or were just moved. */
const hidden = createStore<ReadonlySet<string>>(new Set())

export const useHidden = (): ReadonlySet<string> => useStore(hidden)

export const hide = (ids: string[]): void => hidden.set((all) => all.union(new Set(ids)))

export const unhide = (ids: string[]): void => hidden.set((all) => all.difference(new Set(ids)))
