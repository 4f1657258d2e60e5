import { buffer } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import type { Outbound, OutboundReply } from '../../platform/outbound/outbound.ts'
import { whyNoAnswer } from '../../platform/outbound/why-no-answer.ts'
import { ToolError } from '../tools/tool.ts'
import {
  type FoundPage,
  SEARCH_PROVIDERS,
  type SearchRequest,
  type WebQuery,
  type WebSearchKind,
} from './search-providers.ts'

const SEARCH_MS = 15_000
const MOST_BYTES = 1024 * 1024
const LONGEST_TITLE = 200
const LONGEST_SNIPPET = 800
const LONGEST_URL = 2048
/** The smallest plans allow one request a second, and agents search several times at once. */
const AGAIN_AFTER_MS = 1_200

/** Provider with its key, opened. */
export interface SearchSettings {
  kind: WebSearchKind
  baseUrl: string
  key: string | null
}

/**
 * Searches the web. Titles and snippets come as plain text on one line, and only results with an http address.
 * @throws ToolError in words for the model and the person
 */
export async function searchWeb(
  { kind, baseUrl, key }: SearchSettings,
  query: WebQuery,
  { outbound, signal }: { outbound: Outbound; signal: AbortSignal },
): Promise<FoundPage[]> {
  const provider = SEARCH_PROVIDERS[kind]
  const refuse = (why: string, cause?: unknown) =>
    new ToolError(`The web search by ${provider.label} failed: ${why}.`, { cause })
  const request = provider.toRequest(baseUrl, key, query)
  const ask = async () => {
    try {
      return await send(request, outbound, signal)
    } catch (error) {
      signal.throwIfAborted()
      throw refuse(whyNoAnswer(new URL(baseUrl).host, error, SEARCH_MS), error)
    }
  }
  let { status, answer } = await ask()
  if (status === 429) {
    await wait(AGAIN_AFTER_MS, undefined, { signal })
    ;({ status, answer } = await ask())
  }
  if (status < 200 || status >= 300) throw refuse(whyRefused(status, provider.toProblem(status, answer)))
  let found: FoundPage[]
  try {
    found = provider.read(answer)
  } catch (error) {
    throw refuse(`its answer is not in the form of ${provider.label}`, error)
  }
  const why = found.length === 0 ? provider.whyNothing?.(answer) : undefined
  if (why) throw refuse(plain(why, 300))
  return tidy(found).slice(0, query.count)
}

async function send({ url, ...request }: SearchRequest, outbound: Outbound, signal: AbortSignal) {
  const limits = { timeoutMs: SEARCH_MS, maxReplyBytes: MOST_BYTES, signal }
  const reply = await outbound.request(url, { ...request, ...limits })
  return { status: reply.status, answer: await readJson(reply) }
}

/** JSON of the reply; undefined for anything else. */
async function readJson(reply: OutboundReply): Promise<unknown> {
  const bytes = await buffer(reply.body)
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

function tidy(found: FoundPage[]): FoundPage[] {
  const byUrl = new Map<string, FoundPage>()
  for (const { url, title, snippet } of found) {
    const parsed = URL.parse(url)
    if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.href.length > LONGEST_URL || byUrl.has(parsed.href))
      continue
    byUrl.set(parsed.href, {
      url: parsed.href,
      title: plain(title, LONGEST_TITLE) || parsed.host,
      snippet: plain(snippet, LONGEST_SNIPPET),
    })
  }
  return [...byUrl.values()]
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** Text without tags, entities and breaks, cut at a length. */
function plain(text: string, length: number): string {
  const whole = text
    .slice(0, 20_000)
    .replaceAll(/<\/?[a-z][^<>]{0,200}>/gi, '')
    .replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi, (entity, decimal, hex, name) => {
      if (name) return ENTITIES[name.toLowerCase()] ?? entity
      const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
      return code <= 0x10ffff ? String.fromCodePoint(code) : entity
    })
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return whole.length <= length ? whole : `${whole.slice(0, length - 1).toWellFormed()}…`
}

function whyRefused(status: number, problem: string | undefined): string {
  if (status === 429) return 'too many searches in a short time, or more than the plan allows'
  if (problem) return plain(problem, 300).replace(/\.$/, '')
  if (status >= 300 && status < 400)
    return `it redirects (status ${status}), which is not followed: correct its address`
  return `it answered with status ${status}${status >= 500 ? ' (not available just now)' : ''}`
}
