/** The time, so that tests can set it. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()

export const isoNow = (clock: Clock): string => clock().toISOString()
