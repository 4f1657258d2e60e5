/** Message to the thread: run this. */
export interface SandboxTask {
  code: string
  /** JSON or any text; the code finds it as `input`. */
  input: string | undefined
  limits: SandboxLimits
}

export interface SandboxLimits {
  /** Time limit for the code and what it awaits. */
  timeMs: number
  memoryBytes: number
  /** Limit for the printed lines and the value together. */
  outputCharacters: number
}

/** Reply of the thread. Texts are cut to the limit. */
export interface SandboxResult {
  /** Printed lines. */
  console: string[]
  isCut: boolean
  /** The value as text; undefined if there was none. */
  value?: string
  /** Error message, with the place in the code. */
  error?: string
}
