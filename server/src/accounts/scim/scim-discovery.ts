import { USER_SCHEMA } from './scim-user.wire.ts'

const CORE = 'urn:ietf:params:scim:schemas:core:2.0'
export const MOST_RESULTS = 200

/** Parts of the protocol that this server has (RFC 7643, 5). */
export const serviceProviderConfig = (base: string) => ({
  schemas: [`${CORE}:ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MOST_RESULTS },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'A SCIM token that an admin of the workspace makes under Settings → Members',
      specUri: 'https://www.rfc-editor.org/info/rfc6750',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
})

/** Users alone: groups are not kept by this protocol. */
export const resourceTypes = (base: string) => [
  {
    schemas: [`${CORE}:ResourceType`],
    id: 'User',
    name: 'User',
    endpoint: '/Users',
    description: 'Members of the workspace',
    schema: USER_SCHEMA,
    schemaExtensions: [],
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/User` },
  },
]

const attribute = (name: string, description: string, fields: Record<string, unknown> = {}) => ({
  name,
  type: 'string',
  multiValued: false,
  description,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...fields,
})

/** Attributes that are kept (RFC 7643, 7). */
export const schemas = (base: string) => [
  {
    schemas: [`${CORE}:Schema`],
    id: USER_SCHEMA,
    name: 'User',
    description: 'A member of the workspace',
    attributes: [
      attribute('userName', 'Name of the person in the directory', { required: true, uniqueness: 'server' }),
      attribute('name', 'Parts of the name', {
        type: 'complex',
        subAttributes: [
          attribute('formatted', 'The whole name'),
          attribute('familyName', 'Family name'),
          attribute('givenName', 'Given name'),
        ],
      }),
      attribute('displayName', 'The name as it is shown; else it is made of the parts'),
      attribute('emails', 'The e-mail by which the person signs in; the primary one is kept', {
        type: 'complex',
        multiValued: true,
        subAttributes: [
          attribute('value', 'The e-mail', { uniqueness: 'server' }),
          attribute('type', 'Always work', { canonicalValues: ['work'] }),
          attribute('primary', 'Always true', { type: 'boolean' }),
        ],
      }),
      attribute('active', 'Whether the person is a member: false ends sessions and keys at once', { type: 'boolean' }),
      attribute('externalId', 'Id of the person in the directory', { caseExact: true }),
    ],
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${USER_SCHEMA}` },
  },
]

/** A list of resources (RFC 7644, 3.4.2). @param startIndex of the first one, from 1 */
export const listResponse = (resources: object[], { total = resources.length, startIndex = 1 } = {}) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
  totalResults: total,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
})
