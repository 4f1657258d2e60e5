import { inject } from 'vitest'

/** The server that the suite runs against, and its abilities. */
export interface Target {
  /** Base URL without `/v1` and without a trailing slash. */
  url: string
  key: string
  /** Key of another organization; absent: what needs two organizations is skipped. */
  otherKey?: string
  /** `provider/model` that follows the scripts of model-script.ts; absent: what needs it is skipped. */
  model?: string
  /** Address under which the server reaches this machine; absent: webhooks are skipped. */
  callbackHost?: string
  /** Directory of this machine below which the server reads integrations; absent: they are skipped. */
  sourcesRoot?: string
  /** The server was started for this run: nothing else changes it, and its limits are the defaults that we know. */
  isOwn: boolean
  /** URL of each process, for what only that process can answer; only with `isOwn`. */
  processes?: string[]
  /** Token that `/metrics` requires; only with `isOwn`. */
  metricsToken?: string
  /**
   * URL of the PostgreSQL server that several processes share, only with `isOwn`; absent: one process with its own
   * database.
   */
  postgresUrl?: string
}

declare module 'vitest' {
  interface ProvidedContext {
    target: Target
    /** `/openapi.json` of the target. */
    openapi: unknown
  }
}

export const target: Target = inject('target')
