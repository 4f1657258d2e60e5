import { Parser } from 'htmlparser2'

/** One resource as a WebDAV server lists it. */
export interface DavResource {
  /** Address or path as the server writes it, encoded. */
  href: string
  isFolder: boolean
  sizeBytes?: number
  etag?: string
  modified?: string
}

const LONGEST_TEXT = 8192
const MOST_RESOURCES = 100_000

/** The listing has more entries than are taken. */
export class ListingTooLongError extends Error {
  override name = 'ListingTooLongError'
}

/**
 * Reads the answer to PROPFIND piece by piece; prefixes of namespaces are ignored. Entities are not expanded, so nothing
 * grows beyond what was sent.
 */
export async function readMultistatus(body: AsyncIterable<Buffer>): Promise<DavResource[] | undefined> {
  const resources: DavResource[] = []
  let isMultistatus = false
  let open: DavResource | undefined
  let text = ''
  /** Properties of a group count only if its status is 200. */
  let group: Partial<DavResource> = {}
  let status = ''
  const parser = new Parser(
    {
      onopentag(name) {
        const tag = localName(name)
        text = ''
        if (tag === 'multistatus') isMultistatus = true
        else if (tag === 'response') open = { href: '', isFolder: false }
        else if (tag === 'propstat') {
          group = {}
          status = ''
        } else if (tag === 'collection') group.isFolder = true
      },
      ontext(piece) {
        if (text.length < LONGEST_TEXT) text += piece
      },
      onclosetag(name) {
        const tag = localName(name)
        const value = text.trim()
        text = ''
        if (tag === 'href' && open?.href === '') open.href = value
        else if (tag === 'status') status = value
        else if (tag === 'getetag') group.etag = value
        else if (tag === 'getlastmodified') group.modified = value
        else if (tag === 'getcontentlength' && /^\d+$/.test(value)) group.sizeBytes = Number(value)
        else if (tag === 'propstat' && open && (status === '' || / 2\d\d( |$)/.test(status))) Object.assign(open, group)
        else if (tag === 'response' && open) {
          resources.push(open)
          open = undefined
        }
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  const decoder = new TextDecoder()
  for await (const piece of body) {
    parser.write(decoder.decode(piece, { stream: true }))
    if (resources.length > MOST_RESOURCES) throw new ListingTooLongError(`more than ${MOST_RESOURCES} entries`)
  }
  parser.end()
  return isMultistatus ? resources : undefined
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1).toLowerCase()
