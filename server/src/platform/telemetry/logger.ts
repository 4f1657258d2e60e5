import { type DestinationStream, type Logger, pino } from 'pino'

export type { Logger }

/**
 * One JSON line an event. Callers log ids, sizes, durations and codes, never what documents, queries or keys hold.
 * @param destination default: standard output
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  }
  return destination ? pino(options, destination) : pino(options)
}
