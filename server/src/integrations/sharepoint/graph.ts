import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { type ApiClient, createApiClient } from '../api/api-client.ts'
import { checkedAnswer } from '../api/api-refused.ts'
import { createGrantedTokens } from '../api/granted-tokens.ts'
import { type SourceContext, type SourceTokens, SourceUnavailableError } from '../source.ts'
import { createBatches } from './batches.ts'
import { Permission } from './permissions.schemas.ts'
import type { SharePointConfig } from './sharepoint-kind.ts'

const API = 'Microsoft Graph API'

/** File or folder of a drive, as a list of changes has it: what did not change may be left out. */
const DriveItem = z.looseObject({
  id: z.string().min(1),
  name: z.string().optional(),
  size: z.number().optional(),
  eTag: z.string().optional(),
  cTag: z.string().optional(),
  lastModifiedDateTime: z.string().optional(),
  webUrl: z.string().optional(),
  parentReference: z.looseObject({ id: z.string().optional() }).optional(),
  file: z.looseObject({ hashes: z.looseObject({}).nullish() }).optional(),
  folder: z.looseObject({}).optional(),
  package: z.looseObject({}).optional(),
  remoteItem: z.looseObject({}).optional(),
  malware: z.looseObject({}).optional(),
  deleted: z.looseObject({}).optional(),
  root: z.looseObject({}).optional(),
})
export type DriveItem = z.infer<typeof DriveItem>

/** Asks for what has other readers, too; all three go together. */
const WITH_SHARING = { prefer: 'deltashowremovedasdeleted, deltatraversepermissiongaps, deltashowsharingchanges' }
/** Right of an app without which Microsoft leaves out changes of permissions that do not concern the app. */
const SEES_SHARING = 'Sites.FullControl.All'

const SELECT =
  'id,name,size,eTag,cTag,lastModifiedDateTime,webUrl,parentReference,file,folder,package,remoteItem,malware,deleted,root'

const Changes = z.looseObject({
  value: z.array(DriveItem),
  '@odata.nextLink': z.string().optional(),
  '@odata.deltaLink': z.string().optional(),
})

const Named = z.looseObject({ id: z.string().min(1), name: z.string().optional(), webUrl: z.string().optional() })
const Person = z.looseObject({ mail: z.string().nullish(), userPrincipalName: z.string().nullish() })
export type Person = z.infer<typeof Person>

const Member = z.looseObject({ '@odata.type': z.string().optional(), ...Person.shape })
const Organization = z.looseObject({
  verifiedDomains: z.array(z.looseObject({ name: z.string().nullish() })).default([]),
})

/** Asks Microsoft Graph (v1.0). */
export function createGraph(outbound: Outbound, config: SharePointConfig, tokensOf: SourceContext['tokensOf']) {
  const base = config.endpoint.replace(/\/$/, '')
  const tokens = tokensFor(outbound, config, tokensOf)
  const client = clientOf(outbound, config, tokens)
  const { origin } = new URL(base)
  const inBatch = createBatches(client, base, API)

  /** A page that an answer names; credentials are for the API alone. */
  function pageOf(link: string): string {
    if (URL.parse(link)?.origin === origin) return link
    throw new SourceUnavailableError('endpoint', 'names pages of its lists elsewhere, which are not asked for')
  }

  async function* list<T extends z.ZodType>(
    path: string,
    item: T,
    signal: AbortSignal,
    askFirst = (of: string) => client.json(base + of, signal),
  ): AsyncGenerator<z.infer<T>> {
    const Page = z.looseObject({ value: z.array(item), '@odata.nextLink': z.string().optional() })
    let answer: unknown = await askFirst(path)
    for (;;) {
      const page: z.infer<typeof Page> = checkedAnswer(Page, answer, API)
      yield* page.value
      const link = page['@odata.nextLink']
      if (!link) return
      answer = await client.json(pageOf(link), signal)
    }
  }

  return {
    async find(path: string, signal: AbortSignal) {
      return checkedAnswer(Named, await client.json(base + path, signal), API)
    },
    listDrives: (siteId: string, signal: AbortSignal) =>
      list(`/sites/${siteId}/drives?$select=id,name,webUrl`, Named, signal),
    /** Permissions that are effective on a file, inherited ones, too; those of files asked for at once in one request. */
    async permissions(driveId: string, itemId: string, signal: AbortSignal): Promise<Permission[]> {
      const path = `/drives/${driveId}/items/${encodeURIComponent(itemId)}/permissions`
      const all: Permission[] = []
      for await (const one of list(path, Permission, signal, (of) => inBatch(of, signal))) all.push(one)
      return all
    },
    /** Whether the list of changes names everything that has other readers: only an app with full rights is told so. */
    async tellsSharing(signal: AbortSignal): Promise<boolean> {
      return config.connection === undefined && rolesIn(await tokens.get(signal, false)).includes(SEES_SHARING)
    },
    /** People in a group and in the groups in it, or those who own it. */
    async *people(groupId: string, of: 'transitiveMembers' | 'owners', signal: AbortSignal): AsyncGenerator<Person> {
      const path = `/groups/${encodeURIComponent(groupId)}/${of}?$select=id,mail,userPrincipalName&$top=999`
      for await (const member of list(path, Member, signal))
        if (member['@odata.type'] === '#microsoft.graph.user') yield member
    },
    async person(id: string, signal: AbortSignal): Promise<Person> {
      const path = `/users/${encodeURIComponent(id)}?$select=mail,userPrincipalName`
      return checkedAnswer(Person, await client.json(base + path, signal), API)
    },
    /** Domains of the organization that the token is for. */
    async domains(signal: AbortSignal): Promise<string[]> {
      const names: string[] = []
      for await (const { verifiedDomains } of list('/organization?$select=verifiedDomains', Organization, signal))
        names.push(...verifiedDomains.flatMap(({ name }) => name || []))
      return names
    },
    /**
     * Changes of a drive, a page at a time; the last one has the link to ask for the next with.
     * @param since such a link; absent: everything that there is
     * @param withSharing whether changes of readers are wanted, too
     * @throws ApiRefusedError with 410 where the service knows the link no longer
     */
    async *changes(driveId: string, since: string | undefined, withSharing: boolean, signal: AbortSignal) {
      const request = withSharing ? { headers: WITH_SHARING } : {}
      let next: string | undefined = since ?? `${base}/drives/${driveId}/root/delta?$select=${SELECT}`
      while (next) {
        const page: z.infer<typeof Changes> = checkedAnswer(
          Changes,
          await client.json(pageOf(next), signal, request),
          API,
        )
        next = page['@odata.nextLink']
        const link = page['@odata.deltaLink']
        if (!next && !link)
          throw new SourceUnavailableError('endpoint', `gives answers that are not those of the ${API}`)
        yield { items: page.value, link: next ? undefined : link }
      }
    },
    content: (driveId: string, itemId: string, signal: AbortSignal) =>
      client.bytes(`${base}/drives/${driveId}/items/${encodeURIComponent(itemId)}/content`, signal),
  }
}

export type Graph = ReturnType<typeof createGraph>

/** Roles that a token gives an app. Where it cannot be read, none: then nothing is relied on. */
function rolesIn(token: string): string[] {
  try {
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'))
    return z.object({ roles: z.array(z.string()) }).parse(claims).roles
  } catch {
    return []
  }
}

function tokensFor(outbound: Outbound, config: SharePointConfig, tokensOf: SourceContext['tokensOf']): SourceTokens {
  const { connection, endpoint, login_endpoint, tenant = '', client_id = '', client_secret = '' } = config
  if (connection !== undefined) return tokensOf(connection)
  return createGrantedTokens(outbound, {
    url: `${login_endpoint.replace(/\/$/, '')}/${tenant}/oauth2/v2.0/token`,
    provider: 'Microsoft',
    secretField: 'client_secret',
    form: () => ({
      grant_type: 'client_credentials',
      client_id,
      client_secret,
      scope: `${new URL(endpoint).origin}/.default`,
    }),
  })
}

function clientOf(outbound: Outbound, config: SharePointConfig, tokens: SourceTokens): ApiClient {
  return createApiClient(outbound, {
    requestsPerSecond: config.requests_per_second,
    secretField: config.connection === undefined ? 'client_secret' : 'connection',
    addressField: 'endpoint',
    isRenewable: true,
    authorize: async (signal, isRefused) => ({ authorization: `Bearer ${await tokens.get(signal, isRefused)}` }),
  })
}
