import { useStore } from '../../platform/state/store.ts'
import { createTabStore } from '../../platform/state/tab-store.ts'

/** Outcome of a proposal, kept by message and position. */
type Outcome = 'applied' | 'dismissed'

const outcomes = createTabStore<Record<string, Outcome>>('docent.proposals', {})

export const useOutcome = (key: string): Outcome | undefined => useStore(outcomes)[key]

export const setOutcome = (key: string, outcome: Outcome): void => outcomes.set((all) => ({ ...all, [key]: outcome }))
