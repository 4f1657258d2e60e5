import { later } from '../../ui/later.tsx'

/** Tree of a value, for the arguments and results of tools. */
export const JsonTree = later(async () => (await import('./json-tree.tsx')).JsonTree)
