import type { ReactNode } from 'react'
import { createStore, useStore } from '../../platform/state/store.ts'

/** Content over every page, for as long as its work continues, whichever page is open. */
const overlay = createStore<ReactNode>(null)

export const showOverlay = (content: ReactNode): void => overlay.set(content)

export const Overlay = (): ReactNode => useStore(overlay)
