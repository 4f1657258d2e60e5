/** Part of an agent's evaluation that is shown. It lives in the URL, so that it can be shared and the back button works. */
export interface EvaluationSearch {
  set?: string
  run?: string
  /** Earlier run with which `run` is compared. */
  before?: string
}

const NAMES = ['set', 'run', 'before'] as const

/** Reads what is shown from search parameters; invalid values are dropped. */
export function evaluationSearch(given: Record<string, unknown>): EvaluationSearch {
  const search: EvaluationSearch = {}
  for (const name of NAMES) {
    const value = given[name]
    // Ids of digits alone arrive as numbers.
    if (/^[0-9a-f]{24}$/.test(String(value))) search[name] = String(value)
  }
  return search
}
