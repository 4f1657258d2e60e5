import type { ReactNode } from 'react'
import { createStore, useStore } from '../../platform/store.ts'

/** What is shown over every page, for as long as its work goes on: a section puts it there, whichever page is open. */
const overlay = createStore<ReactNode>(null)

export const showOverlay = (content: ReactNode): void => overlay.set(content)

export const Overlay = (): ReactNode => useStore(overlay)
