import { withMessages } from '../platform/language.ts'

/** Loads the parts of a chat that are rarely shown: most answers need none of them. */
export const loadRareParts = () => withMessages('rare-parts', () => import('./rare-parts.pages.ts'))
