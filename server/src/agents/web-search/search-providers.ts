import { z } from 'zod'

export const WEB_SEARCH_KINDS = ['brave', 'tavily', 'searxng'] as const
export type WebSearchKind = (typeof WEB_SEARCH_KINDS)[number]

export const RECENT = ['day', 'week', 'month', 'year'] as const

export interface WebQuery {
  query: string
  count: number
  recent?: (typeof RECENT)[number]
}

/** Result as a provider has it, of any length. */
export interface FoundPage {
  title: string
  url: string
  snippet: string
}

export interface SearchRequest {
  url: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string
}

interface SearchProvider {
  /** Name that people know it by. */
  label: string
  /** Address of the vendor; null where each has an address of their own. */
  ownUrl: string | null
  needsKey: boolean
  toRequest(baseUrl: string, key: string | null, query: WebQuery): SearchRequest
  /** @throws ZodError for an answer in another form */
  read(answer: unknown): FoundPage[]
  /** Reason for an answer without any result, where the provider names one. */
  whyNothing?(answer: unknown): string | undefined
  /** Text of an answer that is no success. */
  toProblem(status: number, answer: unknown): string | undefined
}

const Text = z.string().nullish().catch(null)
const json = { accept: 'application/json' }

/**
 * Brave's Web Search API.
 * https://api-dashboard.search.brave.com/app/documentation/web-search/query (parameters `q`, `count` up to 20,
 * `freshness`, `text_decorations`), …/web-search/responses (`web.results[].title`, `.url`, `.description`),
 * and the header `X-Subscription-Token`. An error is `{"type": "ErrorResponse", "error": {"code", "detail"}}`; a wrong
 * key is 422 with the code SUBSCRIPTION_TOKEN_INVALID.
 */
const brave: SearchProvider = {
  label: 'Brave Search',
  ownUrl: 'https://api.search.brave.com/res/v1',
  needsKey: true,
  toRequest(baseUrl, key, { query, count, recent }) {
    const url = addressOf(baseUrl, 'web/search', {
      q: query,
      count: String(count),
      text_decorations: 'false',
      ...(recent && { freshness: `p${recent[0]}` }),
    })
    return { url, method: 'GET', headers: { ...json, ...(key !== null && { 'x-subscription-token': key }) } }
  },
  read: (answer) =>
    (BraveAnswer.parse(answer).web?.results ?? []).map(({ title, url, description }) => ({
      title: title ?? '',
      url,
      snippet: description ?? '',
    })),
  toProblem(status, answer) {
    const { code, detail } = BraveError.parse(answer).error ?? {}
    if (status === 401 || /TOKEN/.test(code ?? '')) return WRONG_KEY
    return detail ?? code ?? undefined
  },
}
const BraveAnswer = z.object({
  web: z.object({ results: z.array(z.object({ title: Text, url: z.string(), description: Text })) }).nullish(),
})
const BraveError = z
  .object({ error: z.object({ code: Text, detail: Text }).nullish().catch(null) })
  .catch({ error: null })

/**
 * Tavily's Search API.
 * https://docs.tavily.com/documentation/api-reference/endpoint/search: `POST /search` with `Authorization: Bearer`,
 * body `query`, `max_results` (0 to 20), `time_range`; answer `results[].title`, `.url`, `.content`. An error is
 * `{"detail": {"error": "…"}}`: 401 for a wrong key, 429 for too many requests, 432 and 433 for a plan that is used up.
 */
const tavily: SearchProvider = {
  label: 'Tavily',
  ownUrl: 'https://api.tavily.com',
  needsKey: true,
  toRequest: (baseUrl, key, { query, count, recent }) => ({
    url: addressOf(baseUrl, 'search', {}),
    method: 'POST',
    headers: {
      ...json,
      'content-type': 'application/json',
      ...(key !== null && { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({ query, max_results: count, ...(recent && { time_range: recent }) }),
  }),
  read: (answer) =>
    TavilyAnswer.parse(answer).results.map(({ title, url, content }) => ({
      title: title ?? '',
      url,
      snippet: content ?? '',
    })),
  toProblem(status, answer) {
    if (status === 401) return WRONG_KEY
    if (status === 432 || status === 433) return 'the plan of the key is used up'
    return TavilyError.parse(answer).detail?.error ?? undefined
  },
}
const TavilyAnswer = z.object({ results: z.array(z.object({ title: Text, url: z.string(), content: Text })) })
const TavilyError = z.object({ detail: z.object({ error: Text }).nullish().catch(null) }).catch({ detail: null })

/**
 * SearXNG, which people run themselves.
 * https://docs.searxng.org/dev/search_api.html: `GET /search` with `q`, `format=json` and `time_range` (day, month,
 * year); 403 where `search.formats` of its settings lacks `json`. The answer has `results[].title`, `.url`,
 * `.content`, and in `unresponsive_engines` pairs of an engine and what is wrong with it.
 */
const searxng: SearchProvider = {
  label: 'SearXNG',
  ownUrl: null,
  needsKey: false,
  toRequest(baseUrl, key, { query, recent }) {
    const time = recent === 'week' ? 'month' : recent
    const url = addressOf(baseUrl, 'search', { q: query, format: 'json', ...(time && { time_range: time }) })
    return { url, method: 'GET', headers: { ...json, ...(key !== null && { authorization: `Bearer ${key}` }) } }
  },
  read: (answer) =>
    SearxngAnswer.parse(answer).results.map(({ title, url, content }) => ({
      title: title ?? '',
      url,
      snippet: content ?? '',
    })),
  whyNothing(answer) {
    const silent = SearxngAnswer.parse(answer).unresponsive_engines ?? []
    if (silent.length === 0) return undefined
    return `none of its engines answered: ${silent.map((one) => one.join(' (')).join('), ')})`
  },
  toProblem: (status) =>
    status === 401
      ? WRONG_KEY
      : status === 403
        ? 'it gives no JSON: its settings.yml has to list json in search.formats'
        : undefined,
}
const SearxngAnswer = z.object({
  results: z.array(z.object({ title: Text, url: z.string(), content: Text })),
  unresponsive_engines: z
    .array(z.tuple([z.string(), z.string()]))
    .nullish()
    .catch(null),
})

const WRONG_KEY = 'it does not take the API key'

export const SEARCH_PROVIDERS: Record<WebSearchKind, SearchProvider> = { brave, tavily, searxng }

function addressOf(baseUrl: string, path: string, fields: Record<string, string>): string {
  const url = new URL(baseUrl)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${path}`
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value)
  return url.href
}
