// A scripted server of Google's documented API (Drive API v3, OAuth 2.0 for service accounts), not Google's own.
import { createHash, createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { expect } from 'vitest'
import { type ScriptedAnswer, type ScriptedRequest, scriptedApi } from '../http/scripted-api.ts'
import { startTestApp } from '../test-app.ts'
import { linkedFoldersOf } from './linked-folders.ts'

const ALLOWED = { DOCENT_OUTBOUND_ALLOW: '127.0.0.1/32' }
export const GOOGLE = 'application/vnd.google-apps.'
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const PEM = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string

export interface Item {
  name: string
  in: string
  mimeType?: string
  content?: string
  trashed?: boolean
  shortcut?: { targetId: string; targetMimeType: string }
  canDownload?: boolean
  /** Address at Google; default: one with its id. */
  link?: string
  /** Permissions as Google gives them with an item; default: everybody who has the link. 'none': it does not give them. */
  permissions?: object[] | 'none'
  /** Shared drive that it is in, where permissions are asked for one by one. */
  driveId?: string
  hasAugmentedPermissions?: boolean
  /** Time of its last change, in milliseconds; default: the length of its content. */
  at?: number
}

/** Drive with items by their ids; pages have three entries. */
export async function googleDriveOf(given: Record<string, Item>) {
  const items = new Map<string, Item>(Object.entries({ root: folder('Handbook', ''), ...given }))
  const valid = new Set<string>()
  const grants: any[] = []
  const read: string[] = []

  function token({ body }: ScriptedRequest): ScriptedAnswer {
    const form = new URLSearchParams(body)
    const [header, claims, signature] = form.get('assertion')!.split('.') as [string, string, string]
    const isSigned = verify(
      'sha256',
      Buffer.from(`${header}.${claims}`),
      createPublicKey(privateKey.export({ type: 'pkcs8', format: 'pem' }) as string),
      Buffer.from(signature, 'base64url'),
    )
    if (!isSigned || form.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer')
      return { status: 400, body: { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' } }
    grants.push(JSON.parse(Buffer.from(claims, 'base64url').toString()))
    const access_token = `token-${grants.length}`
    valid.add(access_token)
    return { body: { access_token, expires_in: 3599, token_type: 'Bearer' } }
  }

  function fileOf(id: string, item: Item) {
    const isGoogles = item.mimeType?.startsWith(GOOGLE)
    return {
      id,
      name: item.name,
      mimeType: item.mimeType ?? 'text/plain',
      parents: [item.in],
      trashed: item.trashed ?? false,
      modifiedTime: `2026-01-01T00:00:00.${item.at ?? (item.content ?? '').length}Z`,
      webViewLink: item.link ?? `https://drive.google.com/file/d/${id}/view`,
      shortcutDetails: item.shortcut,
      capabilities: { canDownload: item.canDownload ?? true },
      driveId: item.driveId,
      hasAugmentedPermissions: item.hasAugmentedPermissions,
      ...(item.permissions !== 'none' && !item.driveId && { permissions: item.permissions ?? [{ type: 'anyone' }] }),
      ...(!isGoogles && {
        md5Checksum: createHash('md5').update(item.content!).digest('hex'),
        size: String(Buffer.byteLength(item.content!)),
      }),
    }
  }

  const api = await scriptedApi((request) => {
    const { url, headers } = request
    if (url.pathname === '/token') return token(request)
    if (!valid.has(headers.authorization?.replace('Bearer ', '') ?? '')) return { status: 401 }
    if (url.searchParams.get('supportsAllDrives') !== 'true') return { status: 400 }
    const [, , id, action] = url.pathname.split('/')
    const item = id === undefined ? undefined : items.get(id)
    if (id === undefined) {
      const q = url.searchParams.get('q')!
      expect(q).toMatch(/ and trashed = false$/)
      const parents = [...q.matchAll(/'([^']+)' in parents/g)].map(([, parent]) => parent)
      const all = [...items].filter(([, one]) => parents.includes(one.in) && !one.trashed)
      const from = Number(url.searchParams.get('pageToken') ?? 0)
      const nextPageToken = from + 3 < all.length ? String(from + 3) : undefined
      return { body: { files: all.slice(from, from + 3).map(([id, one]) => fileOf(id, one)), nextPageToken } }
    }
    if (action === 'permissions' && item) {
      if (!Array.isArray(item.permissions))
        return { status: 403, body: { error: { code: 403, errors: [{ reason: 'insufficientFilePermissions' }] } } }
      const from = Number(url.searchParams.get('pageToken') ?? 0)
      const nextPageToken = from + 1 < item.permissions.length ? String(from + 1) : undefined
      return { body: { permissions: item.permissions.slice(from, from + 1), nextPageToken } }
    }
    if (!item) return { status: 404, body: { error: { code: 404, errors: [{ reason: 'notFound' }] } } }
    if (action !== 'export' && url.searchParams.get('alt') !== 'media') return { body: fileOf(id, item) }
    read.push(item.name)
    return { body: item.content }
  })
  const credentials = JSON.stringify({
    type: 'service_account',
    client_email: 'reader@project.example',
    private_key: PEM,
    private_key_id: 'k1',
    token_uri: `${api.url}/token`,
  })
  const config = { folder: 'root', credentials, endpoint: api.url, requests_per_second: 100 }
  return { ...api, items, valid, grants, read, config }
}

export async function startWithDrive(items: Record<string, Item>) {
  const drive = await googleDriveOf(items)
  const app = await startTestApp(ALLOWED)
  const linked = linkedFoldersOf(app)
  const link = (changes: Record<string, unknown> = {}) =>
    linked.create({ kind: 'google_drive', config: { ...drive.config, ...changes } })
  return { ...app, ...drive, ...linked, link, linkAndSync: () => linked.whenMade(link()) }
}

export const folder = (name: string, parent: string): Item => ({ name, in: parent, mimeType: `${GOOGLE}folder` })
