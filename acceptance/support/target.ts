import { inject } from 'vitest'

/** The server that the suite runs against, and its abilities. */
export interface Target {
  /** Without `/v1` and without a slash at the end. */
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
  /** With `isOwn`: the URL of each process, for what it says of itself alone. */
  processes?: string[]
  /** With `isOwn`: what `/metrics` asks for. */
  metricsToken?: string
  /** With `isOwn`: of the PostgreSQL server that several processes run on; absent: one process with its own database. */
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
