import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { type Caller, RANK, reach } from '../../access/access.ts'
import { failures } from '../../platform/http/failures.ts'
import { Deleted } from '../../platform/http/validation/schemas.ts'
import type { SignInProvider } from '../../platform/sign-in-providers.ts'
import { WorkspacePath } from '../accounts.schemas.ts'
import {
  CreateSignInProvider,
  OneSignInProvider,
  ReplaceSignInProvider,
  SignInProviderList,
  SignInProviderPath,
  TestedSignInProvider,
  TestSignInProvider,
} from './own-providers.schemas.ts'
import type { OwnProviders } from './own-providers.service.ts'
import type { OwnProviderRecord } from './own-providers.store.ts'

const tags = ['Sign-in providers']
const one = { config: { access: { who: 'admin', on: [reach.workspace, reach.part('sign_in_provider')] } } } as const
const all = { config: { access: { who: 'admin', on: [reach.workspace] } } } as const

export const ownProviderRoutes =
  ({ ownProviders }: { ownProviders: OwnProviders }): FastifyPluginAsyncZod =>
  async (app) => {
    const toWire = (record: OwnProviderRecord, caller: Caller) => ({
      ...settingsOf({ ...record.config, id: record.id }),
      has_secret: record.secret !== null,
      redirect_uri: ownProviders.redirectUriOf(record.id),
      is_by_environment: false,
      can_change: RANK[record.role] <= RANK[caller.role],
      created_at: record.createdAt,
      updated_at: record.updatedAt,
    })
    const fixedToWire = (provider: SignInProvider) => ({
      ...settingsOf(provider),
      has_secret: provider.client_secret !== undefined || provider.private_key !== undefined,
      redirect_uri: ownProviders.redirectUriOf(provider.id),
      is_by_environment: true,
      can_change: false,
      created_at: null,
      updated_at: null,
    })

    app.get(
      '/workspaces/:workspace_id/sign-in-providers',
      {
        ...all,
        schema: {
          operationId: 'signInProviders.list',
          tags,
          summary: 'List the OpenID Connect providers of a workspace, and those that an operator set',
          params: WorkspacePath,
          response: { 200: SignInProviderList, ...failures(401, 403) },
        },
      },
      async ({ caller }) => {
        const own = await ownProviders.list(caller)
        const fixed = ownProviders.fixedOf(caller)
        const shown = own.filter(({ id }) => !fixed.some((other) => other.id === id))
        return {
          data: {
            redirect_base: ownProviders.redirectUriOf(''),
            sign_in_providers: [...fixed.map(fixedToWire), ...shown.map((record) => toWire(record, caller))],
          },
        }
      },
    )

    app.post(
      '/workspaces/:workspace_id/sign-in-providers',
      {
        ...all,
        schema: {
          operationId: 'signInProviders.create',
          tags,
          summary: 'Add an OpenID Connect provider; it is on the sign-in page at once',
          params: WorkspacePath,
          body: CreateSignInProvider,
          response: { 200: OneSignInProvider, ...failures(400, 401, 403, 409) },
        },
      },
      async ({ caller, body }) => ({ data: toWire(await ownProviders.create(caller, body), caller) }),
    )

    app.post(
      '/workspaces/:workspace_id/sign-in-providers/test',
      {
        ...all,
        schema: {
          operationId: 'signInProviders.test',
          tags,
          summary: 'Try whether a provider can be asked and knows the client, before or after it was added',
          params: WorkspacePath,
          body: TestSignInProvider,
          response: { 200: TestedSignInProvider, ...failures(400, 401, 403, 429) },
        },
      },
      async ({ caller, body }) => ({ data: await ownProviders.test(caller, body) }),
    )

    app.put(
      '/workspaces/:workspace_id/sign-in-providers/:sign_in_provider_id',
      {
        ...one,
        schema: {
          operationId: 'signInProviders.replace',
          tags,
          summary: 'Change an OpenID Connect provider; it counts from the next sign-in',
          params: SignInProviderPath,
          body: ReplaceSignInProvider,
          response: { 200: OneSignInProvider, ...failures(400, 401, 403, 404, 409) },
        },
      },
      async ({ caller, params, body }) => ({
        data: toWire(await ownProviders.replace(caller, params.sign_in_provider_id, body), caller),
      }),
    )

    app.delete(
      '/workspaces/:workspace_id/sign-in-providers/:sign_in_provider_id',
      {
        ...one,
        schema: {
          operationId: 'signInProviders.delete',
          tags,
          summary: 'Remove an OpenID Connect provider; people who are signed in stay so',
          params: SignInProviderPath,
          response: { 200: Deleted, ...failures(401, 403, 404, 409) },
        },
      },
      async ({ caller, params }) => {
        await ownProviders.remove(caller, params.sign_in_provider_id)
        return { data: { deleted: true as const } }
      },
    )
  }

const settingsOf = (provider: Omit<SignInProvider, 'client_secret' | 'private_key' | 'workspace_id'>) => ({
  id: provider.id,
  name: provider.name,
  issuer: provider.issuer,
  client_id: provider.client_id,
  client_auth: provider.client_auth,
  scope: provider.scope,
  claims_from: provider.claims_from,
  email_verified_claim: provider.email_verified_claim,
  domains: provider.domains,
  makes_accounts: provider.makes_accounts,
  default_role: provider.default_role,
  role_claim: provider.role_claim ?? null,
  roles: provider.roles,
  groups_claim: provider.groups_claim ?? null,
  groups: provider.groups ?? null,
  required_claim: provider.required_claim ?? null,
})
