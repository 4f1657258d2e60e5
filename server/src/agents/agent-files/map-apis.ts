import { ValidationError } from '../../platform/errors.ts'
import { MASK } from '../mcp-client/mcp.schemas.ts'
import type { OpenApiToolsInput, StoredOpenApiTools } from '../openapi-tools/openapi.schemas.ts'
import type { ApiOwner, OpenApiService } from '../openapi-tools/openapi.service.ts'
import type { FileApi } from './agent-files.schemas.ts'

export interface MappedApi {
  given: OpenApiToolsInput
  /** Form that a file holds once it was mapped; a given secret or document that is new is marked. */
  file: FileApi
}

type Apis = Pick<OpenApiService, 'prepare' | 'findDocument' | 'openSecret'>
type Report = (path: string, value: string, reason: string) => void

/** An API as a file holds it, without its secret. */
export const toFileApi = ({ name, url, baseUrl, auth, operations }: StoredOpenApiTools): FileApi => ({
  name,
  url,
  document: null,
  base_url: baseUrl,
  auth: auth && { ...auth, secret: MASK },
  operations,
})

/** Makes the APIs of a file those of an agent; what cannot be used is left out and reported. */
export async function mapApis(
  openApi: Apis,
  owner: ApiOwner,
  apis: readonly FileApi[],
  report: Report,
): Promise<MappedApi[]> {
  const mapped = await Promise.all(apis.map((api) => mapApi(openApi, owner, api, report)))
  return mapped.filter((one) => one !== undefined)
}

async function mapApi(openApi: Apis, owner: ApiOwner, api: FileApi, report: Report): Promise<MappedApi | undefined> {
  const path = `openapi_tools.${api.name}`
  const leaveOut = (reason: string): undefined => {
    report(path, api.url ?? api.name, reason)
    return undefined
  }
  const stored = owner.openApiTools.find(({ name }) => name === api.name)
  const isSameDocument = stored !== undefined && !api.document && stored.url === (api.url ?? null)
  if (!api.url && !api.document && !isSameDocument)
    return leaveOut('lacks its document, which an export does not hold: give it as document, or a url')
  const given = {
    ...api,
    auth: mapAuth(api, stored, report),
    ...(isSameDocument && { document_id: stored.documentId }),
  }
  try {
    const prepared = await openApi.prepare(owner, [given])
    const [made] = prepared.stored
    if (!made) return undefined
    const [read] = prepared.documents
    const known = stored && owner.id ? await openApi.findDocument({ ...owner, id: owner.id }, stored) : undefined
    const isKnown = !read || (api.document && JSON.stringify(read.document) === JSON.stringify(known))
    const secret = isStoredSecret(openApi, owner, given, stored) ? MASK : `${MASK} (given)`
    return {
      given: read && isKnown && stored ? { ...given, document: null, document_id: stored.documentId } : given,
      file: {
        ...toFileApi(made),
        document: api.document && !isKnown ? '(given)' : null,
        auth: made.auth && { ...made.auth, secret },
      },
    }
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    return leaveOut(error.message)
  }
}

function mapAuth({ name, auth, base_url: url }: FileApi, stored: StoredOpenApiTools | undefined, report: Report) {
  if (auth?.secret !== MASK) return auth
  const isSamePlace = !url || URL.parse(url)?.origin === URL.parse(stored?.baseUrl ?? '')?.origin
  if (stored?.auth && isSamePlace) return auth
  report(`openapi_tools.${name}.auth.secret`, MASK, 'is a secret, which a file does not hold: give it')
  return null
}

function isStoredSecret(
  openApi: Apis,
  { organizationId }: ApiOwner,
  { auth }: OpenApiToolsInput,
  stored: StoredOpenApiTools | undefined,
): boolean {
  if (!auth || auth.secret === MASK) return true
  try {
    return stored?.auth ? openApi.openSecret(organizationId, stored.auth.secret) === auth.secret : false
  } catch {
    // Sealed with a key that is gone: what is given replaces it.
    return false
  }
}
