import { BlockList, isIP } from 'node:net'

/** IANA's special-purpose IPv4 addresses: none of them is a host somewhere on the internet. */
const SPECIAL_IPV4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, where clouds keep their credentials
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
]

/** All of IPv6 but global unicast (2000::/3), and what is special within that. */
const SPECIAL_IPV6 = [
  '::/3', // unspecified, loopback, IPv4-mapped and -compatible, NAT64, discard
  '2001::/23', // Teredo and other protocol assignments
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: holds an IPv4 address
  '3fff::/20', // documentation
  '4000::/2', // never assigned
  '8000::/1', // unique local, link-local, site-local, multicast
]

const specialIpv4 = listOf(SPECIAL_IPV4)
const specialIpv6 = listOf(SPECIAL_IPV6)

/**
 * Whether an address is in a range, `10.0.0.0/8` or `fd00::/8`. An IPv4 address in IPv6 form (`::ffff:10.0.0.1`) is in
 * the IPv4 range, too. @throws on a range of any other form
 */
export function createRange(range: string): (address: string) => boolean {
  const list = listOf([range])
  const isIpv6 = range.includes(':')
  // The list takes every IPv4 address for one of ::ffff:0:0/96.
  return (address) => (!isIpv6 || isIP(address) === 6) && list.check(address, familyOf(address))
}

/** Whether the address is one of this machine, of a private network, or of another range that is not for the public. */
export const isSpecialAddress = (address: string): boolean =>
  isIP(address) === 4 ? specialIpv4.check(address, 'ipv4') : specialIpv6.check(address, 'ipv6')

function listOf(ranges: string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits = ''] = range.split('/')
    list.addSubnet(address, Number(bits), familyOf(address))
  }
  return list
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6'
}
