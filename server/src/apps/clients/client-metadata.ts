import { OAuthError } from '../apps.errors.ts'
import { redirectUriProblem } from './redirect-uris.ts'

const MOST_URIS = 10
const LONGEST_NAME = 80

/** Metadata of a client (RFC 7591), as far as they are kept. */
export interface ClientMetadata {
  name: string
  redirectUris: string[]
  /** Its home page, https. */
  uri: string | null
}

/**
 * Reads what a client says of itself. Fields that are not known are passed over; every client is a public one, whatever
 * it asks for.
 * @throws OAuthError
 */
export function readClientMetadata(given: unknown): ClientMetadata {
  if (given === null || typeof given !== 'object' || Array.isArray(given)) throw invalid('The body must be an object')
  const { redirect_uris: uris, client_name: name, client_uri: uri, grant_types, response_types } = given as Fields
  if (!isTexts(uris) || uris.length === 0 || uris.length > MOST_URIS)
    throw new OAuthError('invalid_redirect_uri', `redirect_uris must name 1 to ${MOST_URIS} addresses`)
  for (const one of uris) {
    const problem = redirectUriProblem(one)
    if (problem) throw new OAuthError('invalid_redirect_uri', `redirect_uris: ${one.slice(0, 100)} ${problem}`)
  }
  if (name !== undefined && typeof name !== 'string') throw invalid('client_name must be a text')
  if (grant_types !== undefined && !(isTexts(grant_types) && grant_types.includes('authorization_code')))
    throw invalid('grant_types must hold authorization_code')
  if (response_types !== undefined && !(isTexts(response_types) && response_types.includes('code')))
    throw invalid('response_types must hold code')
  const { host, protocol } = new URL(uris[0]!)
  return { name: tidyName(name ?? '') || host || protocol.slice(0, -1), redirectUris: uris, uri: homePage(uri) }
}

type Fields = Record<string, unknown>

const invalid = (description: string) => new OAuthError('invalid_client_metadata', description)

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

/** A name cannot hold what changes how the text around it is shown. */
const tidyName = (name: string): string =>
  name
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, LONGEST_NAME)
    .toWellFormed()

function homePage(uri: unknown): string | null {
  const url = typeof uri === 'string' && uri.length <= 500 ? URL.parse(uri) : null
  return url?.protocol === 'https:' && !url.username ? url.href : null
}
