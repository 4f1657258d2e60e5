/** Modes of messages that a task takes up again when their process dies. */
export const DURABLE_MODES = ['async', 'reviewed'] as const

export const isDurable = (mode: string): boolean => (DURABLE_MODES as readonly string[]).includes(mode)
