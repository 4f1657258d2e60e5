import { createHash } from 'node:crypto'
import { scriptedLogin } from '../access/scripted-login.ts'
import { type ScriptedAnswer, type ScriptedRequest, scriptedApi } from '../http/scripted-api.ts'

interface Item {
  name: string
  in: string
  isFolder?: boolean
  content?: string
  /** Facet in the place of that of a file or folder. */
  facet?: Record<string, unknown>
  /** Permissions that are effective on it; default: everybody has a link. */
  permissions?: object[]
}

interface Directory {
  /** Members of groups, by the ids of the groups, as directory objects; those in groups below them, too. */
  groups?: Record<string, object[]>
  /** Addresses of people by their ids. */
  people?: Record<string, object>
  domains?: string[]
}

const LINK = { id: 'link', roles: ['read'], link: { scope: 'anonymous', type: 'view', webUrl: 'https://example/x' } }

const CLIENT = { tenant: 'example.com', client_id: 'reader', client_secret: 'secret-of-the-reader' }
const claims = Buffer.from(JSON.stringify({ preferred_username: 'ada@example.com' })).toString('base64url')

/**
 * Drive of a site and of a person as Microsoft Graph has it; lists have pages of three. What changes is told by delta
 * links; bytes lie under another path, which takes no token.
 */
export async function scriptedGraph(
  given: Record<string, Item>,
  directory: Directory = {},
  { roles }: { roles?: string[] } = {},
) {
  const items = new Map(Object.entries(given))
  const login = scriptedLogin({ hasPkce: true, extra: { id_token: `x.${claims}.x` } })
  const ofApps = new Set<string>()
  const read: string[] = []
  /** Ids of what changed, in order; a token is a place in it. */
  const changes: string[] = []
  /** Places of changes of permissions, which are told only to those who ask for them. */
  const ofSharing = new Set<number>()
  let forgotten = -1

  function token({ url, body }: ScriptedRequest): ScriptedAnswer {
    const form = new URLSearchParams(body)
    const isKnown =
      url.pathname.startsWith(`/${CLIENT.tenant}/`) &&
      form.get('client_id') === CLIENT.client_id &&
      form.get('client_secret') === CLIENT.client_secret &&
      form.get('scope') === `${api.url}/.default`
    if (form.get('grant_type') !== 'client_credentials' || !isKnown)
      return { status: 401, body: { error: 'invalid_client' } }
    const claims = Buffer.from(JSON.stringify({ roles })).toString('base64url')
    const access_token = roles ? `x.${claims}.${ofApps.size}` : `app-${ofApps.size}`
    ofApps.add(access_token)
    return { body: { token_type: 'Bearer', expires_in: 3599, access_token } }
  }

  function itemOf(id: string, item: Item | undefined) {
    if (!item) return { id, deleted: { state: 'deleted' } }
    const { name, content = '', isFolder, facet } = item
    const hashes = { quickXorHash: createHash('md5').update(content).digest('base64') }
    return {
      id,
      name,
      size: Buffer.byteLength(content),
      webUrl: `https://example.sharepoint.com/${name}`,
      parentReference: { driveId: 'drive', id: item.in },
      ...(facet ?? (isFolder ? { folder: { childCount: 1 } } : { file: { mimeType: 'text/plain', hashes } })),
    }
  }

  /** Changes since a place; those of permissions come with the folders that they are in. */
  function changedSince(place: number, withSharing: boolean): string[] {
    const named = changes.filter((_, at) => at >= place && (withSharing || !ofSharing.has(at)))
    for (const id of withSharing ? named : []) {
      const above = items.get(id)?.in
      if (above !== undefined && items.has(above)) named.push(above)
    }
    return named
  }

  function delta({ searchParams }: URL, prefer: string): ScriptedAnswer {
    const since = searchParams.get('token')
    if (since !== null && Number(since) <= forgotten)
      return { status: 410, body: { error: { code: 'resyncChangesApplyDifferences' } } }
    const withSharing = /\bdeltashowsharingchanges\b/.test(prefer)
    const ids = since === null ? [...items.keys()] : changedSince(Number(since), withSharing)
    const root = { id: 'root', name: 'root', root: {}, folder: { childCount: 1 } }
    const all = [root, ...ids.map((id) => itemOf(id, items.get(id)))]
    const from = Number(searchParams.get('skip') ?? 0)
    const here = `${api.url}/v1.0/drives/drive/root/delta`
    const value = all.slice(from, from + 3)
    if (from + 3 >= all.length) return { body: { value, '@odata.deltaLink': `${here}?token=${changes.length}` } }
    const query = new URLSearchParams({ ...(since !== null && { token: since }), skip: String(from + 3) })
    return { body: { value, '@odata.nextLink': `${here}?${query}` } }
  }

  /** Lists of what has no order of its own, one entry a page. */
  function listOf(all: unknown[], url: URL): ScriptedAnswer {
    const from = Number(url.searchParams.get('$skiptoken') ?? 0)
    const next = new URL(url.pathname + url.search, api.url)
    next.searchParams.set('$skiptoken', String(from + 1))
    return {
      body: { value: all.slice(from, from + 1), ...(from + 1 < all.length && { '@odata.nextLink': next.href }) },
    }
  }

  function whoMayRead(path: string, url: URL): ScriptedAnswer | undefined {
    const [, kind, id = '', ...rest] = path.split('/')
    const itemId = /^items\/(\w+)\/permissions$/.exec(rest.join('/'))?.[1]
    if (kind === 'drives' && (itemId === 'root' || items.has(itemId ?? '')))
      return listOf(items.get(itemId!)?.permissions ?? [LINK], url)
    const { groups = {}, people = {}, domains = [] } = directory
    if (kind === 'groups' && groups[id] && rest[0] === 'transitiveMembers') return listOf(groups[id], url)
    if (kind === 'users' && people[id] && rest.length === 0) return { body: people[id] }
    if (path === '/organization')
      return { body: { value: [{ id: 'tenant', verifiedDomains: domains.map((name) => ({ name })) }] } }
    return undefined
  }

  function answer(path: string, { url, headers }: ScriptedRequest): ScriptedAnswer | undefined {
    const drive = { body: { id: 'drive', name: 'Handbook' } }
    const known: Record<string, ScriptedAnswer> = {
      '/sites/example.sharepoint.com:/sites/team': { body: { id: 'site', name: 'team' } },
      '/sites/site/drive': drive,
      '/sites/site/drives': {
        body: {
          value: [
            { id: 'drive', name: 'Handbook', webUrl: 'https://example.sharepoint.com/sites/team/Shared%20Documents' },
          ],
        },
      },
      '/users/ada@example.com/drive': drive,
      '/me/drive': drive,
      '/drives/drive/root': { body: { id: 'root', name: 'root' } },
      '/drives/drive/root:/Sub': { body: { id: 'sub', name: 'Sub' } },
    }
    if (path === '/drives/drive/root/delta') return delta(url, String(headers.prefer ?? ''))
    const id = /^\/drives\/drive\/items\/(\w+)\/content$/.exec(path)?.[1]
    if (id !== undefined && items.has(id))
      return { status: 302, headers: { location: `${api.url}/download/${id}?tempauth=x` } }
    return known[path] ?? whoMayRead(path, url)
  }

  /** Several requests in one; their answers come in another order. */
  function batch({ body, headers }: ScriptedRequest): ScriptedAnswer {
    const { requests } = JSON.parse(body) as { requests: { id: string; method: string; url: string }[] }
    if (requests.length > 20 || new Set(requests.map(({ id }) => id)).size < requests.length) return { status: 400 }
    const responses = requests.map(({ id, method, url }) => {
      const asked = { method, url: new URL(`${api.url}/v1.0${url}`), headers, body: '' }
      const { status = 200, ...answered } = api.answerTo(asked)
      return { id, status, ...answered }
    })
    return { body: { responses: responses.reverse() } }
  }

  const api = await scriptedApi((request) => {
    const { url, headers } = request
    if (url.pathname.endsWith('/oauth2/v2.0/token')) return token(request)
    const file = items.get(/^\/download\/(\w+)$/.exec(url.pathname)?.[1] ?? '')
    if (file) {
      read.push(file.name)
      return headers.authorization ? { status: 401 } : { body: file.content }
    }
    const isApp = ofApps.has(headers.authorization?.replace('Bearer ', '') ?? '')
    const login_ = login.answer(request)
    if (login_ || (!isApp && !login.isLoggedIn(request))) return login_ ?? { status: 401 }
    if (url.pathname === '/v1.0/$batch') return batch(request)
    return answer(decodeURIComponent(url.pathname.replace('/v1.0', '')), request)
  })

  const config = {
    site: 'https://example.sharepoint.com/sites/team',
    ...CLIENT,
    endpoint: `${api.url}/v1.0`,
    login_endpoint: api.url,
    requests_per_second: 100,
  }
  /** Changes an item, or removes it. @param isForgotten whether links from before are known no longer */
  function change(id: string, fields: Partial<Item> | undefined, { isForgotten = false } = {}): void {
    if (fields === undefined) items.delete(id)
    else items.set(id, { ...items.get(id)!, ...fields })
    changes.push(id)
    if (isForgotten) forgotten = changes.length
  }

  /** Gives an item other permissions, as its folder may. @param isTold whether that is a change of the item itself */
  function share(id: string, permissions: object[], { isTold = true } = {}): void {
    items.set(id, { ...items.get(id)!, permissions })
    if (isTold) ofSharing.add(changes.push(id) - 1)
  }

  /** Items whose permissions were asked for, alone or in a batch, since the last call; further pages do not count. */
  function askedLists(): string[] {
    const paths = api.asked.splice(0).flatMap(({ url, body }) => {
      if (url.pathname !== '/v1.0/$batch') return url.searchParams.has('$skiptoken') ? [] : [url.pathname]
      return (JSON.parse(body) as { requests: { url: string }[] }).requests.map((one) => one.url)
    })
    return paths.flatMap((path) => /\/items\/(\w+)\/permissions$/.exec(path)?.[1] ?? []).sort()
  }
  return { ...api, items, directory, login, read, config, change, share, askedLists }
}
