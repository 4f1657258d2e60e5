/** To the thread: run this. */
export interface SandboxTask {
  code: string
  /** JSON or any text; the code finds it as `input`. */
  input: string | undefined
  limits: SandboxLimits
}

export interface SandboxLimits {
  /** For the code, and what it awaits. */
  timeMs: number
  memoryBytes: number
  /** Of what the code prints and of its value, together. */
  outputCharacters: number
}

/** From the thread. Texts are cut to the limit. */
export interface SandboxResult {
  /** What was printed, a line an entry. */
  console: string[]
  isCut: boolean
  /** The value as text; undefined if there was none. */
  value?: string
  /** What went wrong, with the place in the code. */
  error?: string
}
