import { isIPv6 } from 'node:net'

/** `http://HOST:PORT`, with the brackets that an IPv6 address needs in a URL. */
export const urlOf = (host: string, port: number): string => `http://${isIPv6(host) ? `[${host}]` : host}:${port}`
