/** Plain words about one error code; none ends with a full stop. */
export interface ErrorDescription {
  /** HTTP status with which it is sent. */
  status: number
  /** The state of things that it tells. */
  meaning: string
  /** How a request gets it. */
  cause: string
  /** Advice to the caller. */
  cure: string
}
