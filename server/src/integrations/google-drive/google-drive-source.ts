import { z } from 'zod'
import { slicesOf } from '../../platform/database/in-slices.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { type ApiClient, type ApiRefusal, createApiClient } from '../api/api-client.ts'
import { everybody, orNobody } from '../api/found-access.ts'
import { createTreeSource, type TreeNode } from '../api/tree-source.ts'
import { type Source, type SourceContext, SourceItemError, SourceUnavailableError } from '../source.ts'
import type { GoogleDriveConfig } from './google-drive-kind.ts'
import {
  ACCESS_FIELDS,
  type Access,
  accessOfFile,
  createAccessFinder,
  PERMISSION_FIELDS,
  Permission,
} from './permissions.ts'
import { createServiceAccountTokens, readServiceAccountKey } from './service-account.ts'

const FOLDERS_A_REQUEST = 20
const GOOGLE = 'application/vnd.google-apps.'
const OFFICE = 'application/vnd.openxmlformats-officedocument.'

/** Formats that Google's own documents are exported to. */
const EXPORTS: Record<string, { mediaType: string; extension: string }> = {
  document: { mediaType: `${OFFICE}wordprocessingml.document`, extension: '.docx' },
  spreadsheet: { mediaType: `${OFFICE}spreadsheetml.sheet`, extension: '.xlsx' },
  presentation: { mediaType: `${OFFICE}presentationml.presentation`, extension: '.pptx' },
  drawing: { mediaType: 'application/pdf', extension: '.pdf' },
}

const FIELDS = `id,name,mimeType,parents,md5Checksum,modifiedTime,size,trashed,webViewLink,shortcutDetails(targetId,targetMimeType),capabilities(canDownload),${ACCESS_FIELDS}`

const DriveFile = z.object({
  id: z.string(),
  name: z.string(),
  mimeType: z.string(),
  parents: z.array(z.string()).optional(),
  md5Checksum: z.string().optional(),
  modifiedTime: z.string().optional(),
  size: z.string().optional(),
  trashed: z.boolean().optional(),
  webViewLink: z.string().optional(),
  shortcutDetails: z.object({ targetId: z.string().optional(), targetMimeType: z.string().optional() }).optional(),
  capabilities: z.object({ canDownload: z.boolean().optional() }).optional(),
  ...accessOfFile,
})
type DriveFile = z.infer<typeof DriveFile>

const FileList = z.object({
  files: z.array(DriveFile).default([]),
  nextPageToken: z.string().optional(),
  incompleteSearch: z.boolean().optional(),
})

const PermissionList = z.object({ permissions: z.array(Permission).default([]), nextPageToken: z.string().optional() })

/** Place where items are looked for, and how. */
interface DriveTree {
  drive: ReturnType<typeof driveOf>
  rootId: string
  /** Targets of shortcuts, by the shortcut. */
  targets: Map<string, DriveFile>
  /** Finds who may read an item; absent where that is not obeyed. */
  findAccess: ReturnType<typeof createAccessFinder> | undefined
  rootAccess: Access | undefined
}

/** @throws SourceUnavailableError */
export async function openGoogleDrive(
  outbound: Outbound,
  config: GoogleDriveConfig,
  { signal, tokensOf, id }: Pick<SourceContext, 'signal' | 'tokensOf' | 'id'>,
): Promise<Source> {
  const { tokens, secretField, reader } = credentialsOf(outbound, config, tokensOf)
  const client = createApiClient(outbound, {
    requestsPerSecond: config.requests_per_second,
    secretField,
    addressField: 'endpoint',
    isRenewable: true,
    authorize: async (signal, isRefused) => ({ authorization: `Bearer ${await tokens.get(signal, isRefused)}` }),
    isBusy: (refusal) => /rateLimitExceeded/i.test(reasonIn(refusal)),
    reasonOf: (refusal) =>
      reasonIn(refusal) === 'exportSizeLimitExceeded' ? 'larger than what Google exports (10 MB)' : undefined,
  })
  const drive = driveOf(client, config.endpoint)
  const root = await drive.get(config.folder, signal).catch((error) => {
    if (!(error instanceof SourceItemError)) throw error
    throw new SourceUnavailableError('folder', `cannot be read (${error.message}): share it with ${reader}`)
  })
  if (root.mimeType !== `${GOOGLE}folder` || root.trashed)
    throw new SourceUnavailableError('folder', root.trashed ? 'is in the trash' : 'is no folder')
  const targets = new Map<string, DriveFile>()
  const findAccess = config.obey_access ? createAccessFinder(drive.permissions) : undefined
  const rootAccess = await findAccess?.(root, undefined, signal).catch((error) => {
    if (!(error instanceof SourceItemError)) throw error
    const cure = `let ${reader} share this folder, as an editor or content manager, or set it to false`
    throw new SourceUnavailableError('obey_access', `cannot be done: Google does not say who may read what; ${cure}`)
  })
  const tree = { drive, rootId: root.id, targets, findAccess, rootAccess }
  const read = (node: TreeNode, signal: AbortSignal) => drive.read(targets.get(node.id)!, signal)
  return createTreeSource(config, root.id, listTree(tree, signal), read, { isTrial: id === undefined })
}

function credentialsOf(outbound: Outbound, config: GoogleDriveConfig, tokensOf: SourceContext['tokensOf']) {
  const { connection, credentials = '', impersonate } = config
  if (connection !== undefined)
    return { tokens: tokensOf(connection), secretField: 'connection', reader: 'who connected it' }
  const key = readServiceAccountKey(credentials)
  if (!key) throw new SourceUnavailableError('credentials', 'is no key of a service account')
  const tokens = createServiceAccountTokens(outbound, key, impersonate)
  return { tokens, secretField: 'credentials', reader: impersonate ?? key.client_email }
}

function driveOf(client: ApiClient, endpoint: string) {
  const base = endpoint.replace(/\/$/, '')
  const address = (path: string, query: Record<string, string>) =>
    `${base}/files${path}?${new URLSearchParams({ supportsAllDrives: 'true', ...query })}`
  const checked = <T>(schema: z.ZodType<T>, answer: unknown): T => {
    const found = schema.safeParse(answer)
    if (found.success) return found.data
    throw new SourceUnavailableError('endpoint', 'gives answers that are not those of the Drive API')
  }
  return {
    async get(id: string, signal: AbortSignal): Promise<DriveFile> {
      return checked(DriveFile, await client.json(address(`/${id}`, { fields: FIELDS }), signal))
    },
    async *list(parents: string[], signal: AbortSignal): AsyncGenerator<DriveFile> {
      let pageToken: string | undefined
      do {
        const query = {
          q: `(${parents.map((id) => `'${id}' in parents`).join(' or ')}) and trashed = false`,
          pageSize: '1000',
          includeItemsFromAllDrives: 'true',
          fields: `nextPageToken,incompleteSearch,files(${FIELDS})`,
          ...(pageToken && { pageToken }),
        }
        const page = checked(FileList, await client.json(address('', query), signal))
        // A list with gaps would make files go that are there.
        if (page.incompleteSearch) throw new SourceUnavailableError('folder', 'Google could not list all of it')
        yield* page.files
        pageToken = page.nextPageToken
      } while (pageToken)
    },
    async permissions(id: string, signal: AbortSignal): Promise<Permission[]> {
      const found: Permission[] = []
      let pageToken: string | undefined
      do {
        const query = {
          pageSize: '100',
          fields: `nextPageToken,permissions(${PERMISSION_FIELDS})`,
          ...(pageToken && { pageToken }),
        }
        const page = checked(PermissionList, await client.json(address(`/${id}/permissions`, query), signal))
        found.push(...page.permissions)
        pageToken = page.nextPageToken
      } while (pageToken)
      return found
    },
    read({ id, mimeType }: DriveFile, signal: AbortSignal) {
      const format = formatOf(mimeType)
      return client.bytes(
        format ? address(`/${id}/export`, { mimeType: format.mediaType }) : address(`/${id}`, { alt: 'media' }),
        signal,
      )
    },
  }
}

/** All below a folder, one level after the other. */
async function* listTree(tree: DriveTree, signal: AbortSignal): AsyncGenerator<TreeNode> {
  const { drive, rootId, findAccess, rootAccess } = tree
  const seen = new Set([rootId])
  let level = new Map([[rootId, rootAccess]])
  while (level.size > 0) {
    const next: typeof level = new Map()
    for (const asked of slicesOf([...level.keys()], FOLDERS_A_REQUEST)) {
      for await (const file of drive.list(asked, signal)) {
        const parentId = file.parents?.find((id) => asked.includes(id))
        if (parentId === undefined || seen.has(file.id)) continue
        seen.add(file.id)
        const ofFolder = level.get(parentId)
        const isFolder = file.mimeType === `${GOOGLE}folder`
        if (isFolder) next.set(file.id, await findAccess?.(file, ofFolder, signal).catch(unknown))
        yield isFolder
          ? { id: file.id, parentId, name: file.name, kind: 'folder' }
          : await nodeOf(tree, file, { parentId, ofFolder }, signal)
      }
    }
    level = next
  }
}

/** Takes it for unknown who may read a folder: each item in it is asked for itself. */
function unknown(error: unknown): undefined {
  if (!(error instanceof SourceItemError)) throw error
}

async function nodeOf(
  { drive, targets, findAccess }: DriveTree,
  file: DriveFile,
  { parentId, ofFolder }: { parentId: string; ofFolder: Access | undefined },
  signal: AbortSignal,
): Promise<TreeNode> {
  const { id, name } = file
  const problem = (reason: string): TreeNode => ({ id, parentId, name, kind: 'problem', reason })
  let target = file
  if (file.mimeType === `${GOOGLE}shortcut`) {
    const { targetId, targetMimeType } = file.shortcutDetails ?? {}
    if (targetMimeType === `${GOOGLE}folder`) return problem('a shortcut to a folder, which is not followed')
    if (!targetId || !/^[\w-]+$/.test(targetId)) return problem('a shortcut that leads nowhere')
    try {
      target = await drive.get(targetId, signal)
    } catch (error) {
      if (error instanceof SourceItemError) return problem(`a shortcut to a file that cannot be read: ${error.message}`)
      throw error
    }
    if (target.trashed) return problem('a shortcut to a file in the trash')
  }
  if (target.capabilities?.canDownload === false) return problem('its owner does not permit downloads')
  const format = formatOf(target.mimeType)
  if (!format && target.mimeType.startsWith(GOOGLE)) return problem('a kind of document that Google does not export')
  // A target lies in another folder than the shortcut.
  const ofParent = target === file ? ofFolder : undefined
  const { access, problem: accessProblem } = findAccess
    ? await orNobody(findAccess(target, ofParent, signal).then((access) => ({ access })))
    : await everybody()
  targets.set(id, target)
  const { webViewLink } = target
  return {
    id,
    parentId,
    name: format && !name.endsWith(format.extension) ? name + format.extension : name,
    kind: 'file',
    version: target.md5Checksum ?? target.modifiedTime ?? 'unknown',
    sizeBytes: format ? 0 : Number(target.size ?? 0),
    access,
    accessProblem,
    ...(webViewLink && { metadata: { url: webViewLink } }),
  }
}

const formatOf = (mimeType: string) =>
  mimeType.startsWith(GOOGLE) ? EXPORTS[mimeType.slice(GOOGLE.length)] : undefined

const Refused = z.object({ error: z.object({ errors: z.array(z.object({ reason: z.string() })).min(1) }) })

/** `userRateLimitExceeded` and the like; empty where none is given. */
function reasonIn({ body }: ApiRefusal): string {
  const refused = Refused.safeParse(body)
  return refused.success ? refused.data.error.errors[0]!.reason : ''
}
