import { later } from '../../ui/later.tsx'

/** Panel with a cited passage. */
export const SourcePanel = later(async () => (await import('./cited-source.tsx')).CitedSource)
