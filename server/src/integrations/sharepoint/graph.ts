import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { type ApiClient, createApiClient } from '../api/api-client.ts'
import { checkedAnswer } from '../api/api-refused.ts'
import { createGrantedTokens } from '../api/granted-tokens.ts'
import { type SourceContext, SourceUnavailableError } from '../source.ts'
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

const SELECT =
  'id,name,size,eTag,cTag,lastModifiedDateTime,webUrl,parentReference,file,folder,package,remoteItem,malware,deleted,root'

const Changes = z.looseObject({
  value: z.array(DriveItem),
  '@odata.nextLink': z.string().optional(),
  '@odata.deltaLink': z.string().optional(),
})

const Named = z.looseObject({ id: z.string().min(1), name: z.string().optional(), webUrl: z.string().optional() })
const Drives = z.looseObject({ value: z.array(Named), '@odata.nextLink': z.string().optional() })

/** Asks Microsoft Graph (v1.0). */
export function createGraph(outbound: Outbound, config: SharePointConfig, tokensOf: SourceContext['tokensOf']) {
  const base = config.endpoint.replace(/\/$/, '')
  const client = clientOf(outbound, config, tokensOf)
  const { origin } = new URL(base)

  /** A page that an answer names; credentials are for the API alone. */
  function pageOf(link: string): string {
    if (URL.parse(link)?.origin === origin) return link
    throw new SourceUnavailableError('endpoint', 'names pages of its lists elsewhere, which are not asked for')
  }

  return {
    async find(path: string, signal: AbortSignal) {
      return checkedAnswer(Named, await client.json(base + path, signal), API)
    },
    async *listDrives(siteId: string, signal: AbortSignal) {
      let next: string | undefined = `${base}/sites/${siteId}/drives?$select=id,name,webUrl`
      while (next) {
        const page: z.infer<typeof Drives> = checkedAnswer(Drives, await client.json(next, signal), API)
        yield* page.value
        next = page['@odata.nextLink'] && pageOf(page['@odata.nextLink'])
      }
    },
    /**
     * Changes of a drive, a page at a time; the last one has the link to ask for the next with.
     * @param since such a link; absent: everything that there is
     * @throws ApiRefusedError with 410 where the service knows the link no longer
     */
    async *changes(driveId: string, since: string | undefined, signal: AbortSignal) {
      let next: string | undefined = since ?? `${base}/drives/${driveId}/root/delta?$select=${SELECT}`
      while (next) {
        const page: z.infer<typeof Changes> = checkedAnswer(Changes, await client.json(pageOf(next), signal), API)
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

function clientOf(outbound: Outbound, config: SharePointConfig, tokensOf: SourceContext['tokensOf']): ApiClient {
  const { connection, endpoint, login_endpoint, tenant = '', client_id = '', client_secret = '' } = config
  const secretField = connection === undefined ? 'client_secret' : 'connection'
  const tokens =
    connection !== undefined
      ? tokensOf(connection)
      : createGrantedTokens(outbound, {
          url: `${login_endpoint.replace(/\/$/, '')}/${tenant}/oauth2/v2.0/token`,
          provider: 'Microsoft',
          secretField,
          form: () => ({
            grant_type: 'client_credentials',
            client_id,
            client_secret,
            scope: `${new URL(endpoint).origin}/.default`,
          }),
        })
  return createApiClient(outbound, {
    requestsPerSecond: config.requests_per_second,
    secretField,
    addressField: 'endpoint',
    isRenewable: true,
    authorize: async (signal, isRefused) => ({ authorization: `Bearer ${await tokens.get(signal, isRefused)}` }),
  })
}
