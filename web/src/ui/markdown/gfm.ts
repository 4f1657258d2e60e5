import { onDemand } from '../../platform/state/on-demand.ts'

/** Bars of tables, tildes, boxes of tasks, footnotes, and addresses that are not those of a link. */
const MAY_BE_GFM = /[|~]|\[[ xX]\]|\[\^|(?<!\]\()https?:\/\/|www\.|@/i

/** Whether a text may say something in GitHub's Markdown that plain Markdown has not, so that its reader is worth loading. */
export const mayHoldGfm = (markdown: string): boolean => MAY_BE_GFM.test(markdown)

const load = () => import('./read-gfm.ts')

/** Loads the reader ahead of time. The first text that needs it tries again after a failure. */
export const preloadGfm = (): Promise<unknown> => load().catch(() => {})

/** Plugin that reads tables, task lists, bare links, footnotes and what is struck out, for texts that may hold some. */
export const useGfm = onDemand(async () => {
  const { readGfm } = await load()
  return { plugins: [readGfm] }
})
