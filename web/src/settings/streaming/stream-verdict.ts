import type { StreamCheck, StreamCheckArrival } from '@docent/sdk'

/** More than networks take by themselves: something collects what it should pass on. */
const HELD_BACK_MS = 500

export type Verdict = 'good' | 'held-back' | 'cut' | 'held-back-and-cut' | 'nothing'

export interface Finding {
  verdict: Verdict
  /** How much longer than the quickest event the slowest one took, in milliseconds. */
  worstDelayMs: number
  /** When the last event came, in milliseconds since the request. */
  lastMs: number | null
  proxy: ProxyName | null
}

export const PROXIES = ['nginx', 'Apache', 'Caddy', 'Traefik', 'Cloudflare'] as const
export type ProxyName = (typeof PROXIES)[number]

/** What the times at which events were sent and came tell of the way between. */
export function judge({ arrivals, isWhole, headers }: StreamCheck): Finding {
  const delays = delaysOf(arrivals)
  const worstDelayMs = Math.max(0, ...delays)
  return {
    verdict: verdictOf(arrivals.length, isWhole, worstDelayMs > HELD_BACK_MS),
    worstDelayMs,
    lastMs: arrivals.at(-1)?.arrived_ms ?? null,
    proxy: guessProxy(headers),
  }
}

function verdictOf(arrived: number, isWhole: boolean, isHeldBack: boolean): Verdict {
  if (arrived === 0) return 'nothing'
  if (isWhole) return isHeldBack ? 'held-back' : 'good'
  return isHeldBack ? 'held-back-and-cut' : 'cut'
}

/** Clocks differ and every way takes its time: what counts is how much longer than the quickest an event took. */
function delaysOf(arrivals: StreamCheckArrival[]): number[] {
  const ways = arrivals.map(({ arrived_ms, elapsed_ms }) => arrived_ms - elapsed_ms)
  const quickest = Math.min(...ways)
  return ways.map((way) => way - quickest)
}

/** What stands between, as far as it says so. */
function guessProxy(headers: Headers): ProxyName | null {
  if (headers.has('cf-ray')) return 'Cloudflare'
  const said = `${headers.get('server') ?? ''} ${headers.get('via') ?? ''}`.toLowerCase()
  return PROXIES.find((proxy) => said.includes(proxy.toLowerCase())) ?? null
}
