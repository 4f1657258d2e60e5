import { isIP } from 'node:net'

/**
 * Addresses of one host or household, to count by: an IPv4 address itself, of IPv6 the first 64 bits
 * (`2001:db8:0:1::/64`), within which anybody can take as many as they like.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped) return mapped
  const plain = address.replace(/%.*$/, '')
  if (isIP(plain) !== 6) return address
  const [head, tail] = plain.replace(/\d+\.\d+\.\d+\.\d+$/, '0:0').split('::') as [string, string?]
  const [left, right] = [groupsOf(head), groupsOf(tail)]
  const groups = [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
  return `${groups.slice(0, 4).map(shortest).join(':')}::/64`
}

const groupsOf = (part: string | undefined): string[] => (part ? part.split(':') : [])
const shortest = (group: string): string => Number.parseInt(group, 16).toString(16)
