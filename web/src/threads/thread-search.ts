/** Filters of an agent's threads. They live in the URL, so that a list can be shared and the back button works. */
export interface ThreadSearch {
  q?: string
  type?: string
  person?: string
  status?: string
  feedback?: string
  from?: string
  to?: string
  /** Metadata filter as `KEY=VALUE`. */
  meta?: string
  sort?: string
  order?: 'asc' | 'desc'
  page?: number
}

const TEXTS = ['q', 'type', 'person', 'status', 'feedback', 'from', 'to', 'meta', 'sort'] as const

/** Reads filters from search parameters; invalid values are dropped. */
export function threadSearch(given: Record<string, unknown>): ThreadSearch {
  const search: ThreadSearch = {}
  for (const name of TEXTS) {
    const value = given[name]
    // Values that look like numbers arrive as numbers.
    if ((typeof value === 'string' && value !== '') || typeof value === 'number') search[name] = String(value)
  }
  if (given.order === 'asc' || given.order === 'desc') search.order = given.order
  const page = Number(given.page)
  if (Number.isInteger(page) && page > 1) search.page = page
  return search
}

/** Number of active filters. */
export const filtersIn = ({ q, type, person, status, feedback, from, to, meta }: ThreadSearch): number =>
  [q, type, person, status, feedback, from, to, meta].filter(Boolean).length
