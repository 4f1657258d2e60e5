import type { AgentOptions, Agent as HttpAgent } from 'node:http'
import type { Agent as HttpsAgent } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { http, https } from '../http/node-http.ts'
import type { OutboundGuard } from './outbound-guard.ts'

/** Agents for clients that send their requests themselves: connections go where the guard allows, and nowhere else. */
export function createGuardedAgents(
  guard: OutboundGuard,
  options: AgentOptions,
): { http: HttpAgent; https: HttpsAgent } {
  return {
    http: guarded(new http.Agent(options), guard, 80),
    https: guarded(new https.Agent(options), guard, 443),
  }
}

interface Connecting {
  host?: string | null
  port?: number | string | null
  lookup?: LookupFunction
}

function guarded<A extends HttpAgent>(agent: A, guard: OutboundGuard, usualPort: number): A {
  const connect = agent.createConnection.bind(agent)
  agent.createConnection = (options, callback) => {
    const { host, port } = options as Connecting
    const target = { host: host ?? 'localhost', port: Number(port ?? usualPort) }
    // Addresses are connected to without a look-up, so they are checked here.
    if (isIP(target.host))
      guard.parse(`http://${isIP(target.host) === 6 ? `[${target.host}]` : target.host}:${target.port}`)
    const lookup: LookupFunction = (_host, { all }, done) => {
      guard.resolve(target).then(
        (addresses) => {
          const [first] = addresses
          if (!first) done(new Error('The name has no address'), '')
          else if (all) done(null, addresses)
          else done(null, first.address, first.family)
        },
        (error) => done(error, ''),
      )
    }
    return connect({ ...options, lookup }, callback)
  }
  return agent
}
