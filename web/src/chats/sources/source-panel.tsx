import { later } from '../../ui/later.tsx'
import { loadRareParts } from '../load-rare-parts.ts'

/** Panel with a cited passage. */
export const SourcePanel = later(async () => (await loadRareParts()).CitedSource)
