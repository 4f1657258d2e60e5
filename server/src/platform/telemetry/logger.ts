import { type Logger, pino } from 'pino'

export type { Logger }

/**
 * One JSON line an event. Callers log ids, sizes, durations and codes, never what documents, queries or keys hold.
 */
export const createLogger = (level: string): Logger =>
  pino({
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  })
