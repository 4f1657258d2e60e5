import type { StreamCheck, StreamCheckArrival } from '@docent/sdk'

/** Delay above which something buffers: networks alone are faster. */
const HELD_BACK_MS = 500

export type Verdict = 'good' | 'held-back' | 'cut' | 'held-back-and-cut' | 'nothing'

export interface Finding {
  verdict: Verdict
  /** Delay of the slowest event compared to the fastest, in milliseconds. */
  worstDelayMs: number
  /** Arrival of the last event, in milliseconds since the request. */
  lastMs: number | null
  proxy: ProxyName | null
}

export const PROXIES = ['nginx', 'Apache', 'Caddy', 'Traefik', 'Cloudflare'] as const
export type ProxyName = (typeof PROXIES)[number]

/** Diagnoses the connection by the times at which events were sent and arrived. */
export function judge({ arrivals, isWhole, headers }: StreamCheck): Finding {
  const delays = measureDelays(arrivals)
  const worstDelayMs = Math.max(0, ...delays)
  return {
    verdict: toVerdict(arrivals.length, isWhole, worstDelayMs > HELD_BACK_MS),
    worstDelayMs,
    lastMs: arrivals.at(-1)?.arrived_ms ?? null,
    proxy: guessProxy(headers),
  }
}

function toVerdict(arrived: number, isWhole: boolean, isHeldBack: boolean): Verdict {
  if (arrived === 0) return 'nothing'
  if (isWhole) return isHeldBack ? 'held-back' : 'good'
  return isHeldBack ? 'held-back-and-cut' : 'cut'
}

/** Delays relative to the fastest event: clocks differ, and every connection takes some time. */
function measureDelays(arrivals: StreamCheckArrival[]): number[] {
  const ways = arrivals.map(({ arrived_ms, elapsed_ms }) => arrived_ms - elapsed_ms)
  const quickest = Math.min(...ways)
  return ways.map((way) => way - quickest)
}

/** Proxy in between, as far as its headers name it. */
function guessProxy(headers: Headers): ProxyName | null {
  if (headers.has('cf-ray')) return 'Cloudflare'
  const said = `${headers.get('server') ?? ''} ${headers.get('via') ?? ''}`.toLowerCase()
  return PROXIES.find((proxy) => said.includes(proxy.toLowerCase())) ?? null
}
