import { Readable } from 'node:stream'
import type { Outbound, OutboundReply } from '../../platform/outbound/outbound.ts'
import { createFileFilter, isUsableName } from '../file-filter.ts'
import { type Source, type SourceEntry, SourceItemError, SourceUnavailableError } from '../source.ts'
import { createDavClient } from './dav-client.ts'
import type { DavResource } from './multistatus.ts'
import type { WebDavSourceConfig } from './webdav-kind.ts'

/** A folder of a WebDAV server with all below it. */
export function createWebDavSource(
  outbound: Outbound,
  config: WebDavSourceConfig,
): Source & { check(signal: AbortSignal): Promise<void> } {
  const root = new URL(config.url.endsWith('/') ? config.url : `${config.url}/`)
  const filter = createFileFilter(config)
  const client = createDavClient(outbound, config)

  const addressOf = (path: string[]) => new URL(path.map(encodeURIComponent).join('/'), root).href

  const folderAt = (path: string[]) => (path.length > 0 ? `${addressOf(path)}/` : root.href)

  function entryOf(folder: string[], resource: DavResource): SourceEntry | undefined {
    const name = nameIn(folderAt(folder), resource.href)
    if (name === undefined) return undefined
    if (!isUsableName(name))
      return { kind: 'problem', name: name || resource.href, reason: 'a name that no file can have', isKept: false }
    const path = [...folder, name]
    if (resource.isFolder) return filter.takesFolder(path) ? { kind: 'folder', name } : undefined
    return filter.takesFile(path) ? { kind: 'file', name, ...stateOf(resource) } : undefined
  }

  return {
    async check(signal) {
      const [found] = await client.propfind(root.href, '0', signal).catch((error) => {
        if (error instanceof SourceItemError) throw new SourceUnavailableError('url', error.message, { cause: error })
        throw error
      })
      if (!found?.isFolder) throw new SourceUnavailableError('url', 'is no WebDAV folder')
    },

    async *list(folder, signal) {
      for (const resource of await client.propfind(folderAt(folder), '1', signal)) {
        const entry = entryOf(folder, resource)
        if (entry) yield entry
      }
    },

    async open(file, signal) {
      const reply = await client.get(addressOf(file), signal)
      return Readable.from(readContent(reply, signal), { objectMode: false })
    },
  }
}

/**
 * Name of an entry, undefined for the folder itself.
 * @returns '' for an address that lies elsewhere
 */
function nameIn(folder: string, href: string): string | undefined {
  const at = URL.parse(href, folder)
  const parent = new URL(folder)
  const path = at?.pathname.replace(/\/$/, '') ?? ''
  if (`${path}/` === parent.pathname || decode(`${path}/`) === decode(parent.pathname)) return undefined
  const slash = path.lastIndexOf('/')
  if (decode(path.slice(0, slash + 1)) !== decode(parent.pathname)) return ''
  return decode(path.slice(slash + 1)) ?? ''
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** State by which a change is noticed. Without an ETag or a time the file is read and compared at each sync. */
const stateOf = ({ sizeBytes = 0, etag, modified }: DavResource) => ({
  sizeBytes,
  version: `${sizeBytes}-${etag || modified || `unknown-${Date.now()}`}`,
})

async function* readContent(reply: OutboundReply, signal: AbortSignal): AsyncIterable<Buffer> {
  try {
    yield* reply.body
  } catch (error) {
    signal.throwIfAborted()
    throw new SourceItemError('the server broke off while it was read', { cause: error })
  }
}
