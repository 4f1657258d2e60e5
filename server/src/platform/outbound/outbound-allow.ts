import { isIP } from 'node:net'
import { createRange } from './outbound-address.ts'

interface Destination {
  /** Lower case; an IPv6 address without its brackets. */
  host: string
  port: number
  address: string
}

/** Exceptions to what outbound requests may not reach. */
export interface OutboundAllow {
  has(destination: Destination): boolean
}

type Rule = (destination: Destination) => boolean

const FORM =
  'must be a list of CIDR, CIDR:port or host:port, for instance 10.0.0.0/8,192.168.1.5/32:8080,hooks.example:443'

/** @throws Error in an operator's words. */
export function parseOutboundAllow(text: string): OutboundAllow {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
  const rules = entries.map(parseRule)
  return { has: (destination) => rules.some((allows) => allows(destination)) }
}

/** @param entry `CIDR`, `CIDR:port`, `ADDRESS`, `ADDRESS:port` or `host:port`; IPv6 with a port in brackets: `[::1]:80`. */
function parseRule(entry: string): Rule {
  const { target, port } = splitPort(entry)
  const range = rangeOf(target)
  if (range) {
    const includes = createRange(range)
    return (to) => (port === undefined || to.port === port) && includes(to.address)
  }
  if (port === undefined || !/^[a-z\d]([a-z\d._-]*[a-z\d])?$/i.test(target)) throw new Error(`${FORM}; not "${entry}"`)
  const host = target.toLowerCase()
  return (to) => to.port === port && to.host === host
}

function splitPort(entry: string): { target: string; port?: number } {
  const bracketed = /^\[(.+)\](?::(\d{1,5}))?$/.exec(entry)
  const plain = /^([^:]+):(\d{1,5})$/.exec(entry)
  const [, target, digits] = bracketed ?? plain ?? [undefined, entry, undefined]
  if (digits === undefined) return { target: target! }
  const port = Number(digits)
  if (port < 1 || port > 65_535) throw new Error(`${FORM}; not "${entry}", whose port is none`)
  return { target: target!, port }
}

function rangeOf(target: string): string | undefined {
  const [address = '', bits, ...rest] = target.split('/')
  const largest = { 0: -1, 4: 32, 6: 128 }[isIP(address)]!
  if (largest < 0 && bits === undefined) return undefined
  if (largest < 0 || rest.length > 0) throw new Error(`${FORM}; not "${target}"`)
  if (bits === undefined) return `${address}/${largest}`
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > largest) throw new Error(`${FORM}; not "${target}"`)
  return target
}
