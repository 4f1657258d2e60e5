/** Dictation that is under way. */
export interface Hearing {
  /** Ends it; what was said until now is still transcribed. */
  stop(): void
  /** Ends it and forgets what was not transcribed. */
  cancel(): void
}

export interface Listener {
  /** Called with each stretch of words, once it is certain. */
  onSaid(words: string): void
  /** Called when nothing is heard any more, but what was heard is not transcribed yet. */
  onWriting(): void
  /** Called once at the end, with the reason where it failed. */
  onEnd(error?: unknown): void
}
