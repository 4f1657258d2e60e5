/** What of an agent's threads is shown: it lives in the address, so that it can be shared and gone back to. */
export interface ThreadSearch {
  q?: string
  type?: string
  person?: string
  status?: string
  feedback?: string
  from?: string
  to?: string
  /** `KEY=VALUE` */
  meta?: string
  sort?: string
  order?: 'asc' | 'desc'
  page?: number
}

const TEXTS = ['q', 'type', 'person', 'status', 'feedback', 'from', 'to', 'meta', 'sort'] as const

/** What an address says; what makes no sense in it is left out. */
export function threadSearch(given: Record<string, unknown>): ThreadSearch {
  const search: ThreadSearch = {}
  for (const name of TEXTS) {
    const value = given[name]
    // Values that look like numbers come as numbers out of an address.
    if ((typeof value === 'string' && value !== '') || typeof value === 'number') search[name] = String(value)
  }
  if (given.order === 'asc' || given.order === 'desc') search.order = given.order
  const page = Number(given.page)
  if (Number.isInteger(page) && page > 1) search.page = page
  return search
}

/** How many filters are set. */
export const filtersIn = ({ q, type, person, status, feedback, from, to, meta }: ThreadSearch): number =>
  [q, type, person, status, feedback, from, to, meta].filter(Boolean).length
