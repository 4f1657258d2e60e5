/**
 * Pause after a number of failures in a row: twice as long each time up to a limit, with jitter of half, so that
 * processes and clients do not retry at the same moment.
 * @param failures 0 after the first one
 */
export const backoffMs = (failures: number, { firstMs, longestMs }: { firstMs: number; longestMs: number }): number =>
  Math.min(firstMs * 2 ** failures, longestMs) * (0.5 + Math.random() / 2)
