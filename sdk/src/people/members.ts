import type { CallOptions, Transport } from '../http/transport.ts'
import type { Body, Query } from '../operations.ts'

/** People of the caller's workspace, for admins and owners. Nobody gives a role above their own. */
export const members = (transport: Transport) => ({
  /** Lists members by name, 50 a page by default; pages count from 1. */
  list: (query?: Query<'members.list'>, options?: CallOptions) =>
    transport.list('GET /members', [], { ...options, query }),

  /**
   * Makes somebody a member at once, with an account if they have none: `createPasswordLink` gives them a way in.
   * @throws DocentError `MEMBER_EXISTS`, `MEMBER_ELSEWHERE` for somebody who has to be invited
   */
  create: (member: Body<'members.create'>, options?: CallOptions) =>
    transport.data('POST /members', [], { ...options, body: member }),

  /** @throws DocentError `MEMBER_NOT_FOUND` */
  get: (id: string, options?: CallOptions) => transport.data('GET /members/{member_id}', [id], options),

  /** The picture, with its media type. @throws DocentError `PICTURE_NOT_FOUND` */
  picture: (id: string, options?: CallOptions) => transport.open('GET /members/{member_id}/picture', [id], options),

  /** `group_ids` are all groups of the member from then on. @throws DocentError `MEMBER_NOT_FOUND`, `LAST_OWNER` */
  update: (id: string, changes: Body<'members.update'>, options?: CallOptions) =>
    transport.data('PATCH /members/{member_id}', [id], {
      ...options,
      body: changes,
    }),

  /** Ends the membership with its personal keys and sessions. Everybody may end their own. */
  remove: (id: string, options?: CallOptions) => transport.data('DELETE /members/{member_id}', [id], options),

  /** Demand of a workspace that its members have a second factor. */
  secondFactor: {
    get: (workspaceId: string, options?: CallOptions) =>
      transport.data('GET /workspaces/{workspace_id}/second-factor', [workspaceId], options),

    /**
     * Members who have a password and no second factor then get `SECOND_FACTOR_NEEDED` until they set one up.
     * @throws DocentError `SECOND_FACTOR_NEEDED` for a caller who has none
     */
    set: (workspaceId: string, isDemanded: boolean, options?: CallOptions) =>
      transport.data('PUT /workspaces/{workspace_id}/second-factor', [workspaceId], {
        ...options,
        body: { is_demanded: isDemanded },
      }),
  },

  /** Turns the second factor off of somebody who lost it. @throws DocentError `TWO_FACTOR_OFF` */
  removeTwoFactor: (id: string, options?: CallOptions) =>
    transport.data('DELETE /members/{member_id}/two-factor', [id], options),

  /** A link for somebody who forgot the password; it works once, for an hour. */
  createPasswordLink: (id: string, options?: CallOptions) =>
    transport.data('POST /members/{member_id}/password-link', [id], options),
})

/** Groups of members. */
export const groups = (transport: Transport) => ({
  list: (query?: Query<'groups.list'>, options?: CallOptions) =>
    transport.list('GET /groups', [], { ...options, query }),

  /** @throws DocentError `GROUP_NAME_CONFLICT` */
  create: (group: Body<'groups.create'>, options?: CallOptions) =>
    transport.data('POST /groups', [], { ...options, body: group }),

  /** @throws DocentError `GROUP_NOT_FOUND` */
  get: (id: string, options?: CallOptions) => transport.data('GET /groups/{group_id}', [id], options),

  update: (id: string, group: Body<'groups.update'>, options?: CallOptions) =>
    transport.data('PATCH /groups/{group_id}', [id], {
      ...options,
      body: group,
    }),

  /** Its members stay in the workspace. */
  delete: (id: string, options?: CallOptions) => transport.data('DELETE /groups/{group_id}', [id], options),
})

/**
 * Tokens with which the directory of a company (Entra, Okta, …) manages the members by SCIM 2.0. For admins and owners;
 * a token manages members up to the role of the person who made it.
 */
export const scimTokens = (transport: Transport) => ({
  /** Its `token` is shown this once; `base_url` is what the directory wants beside it. */
  create: (workspaceId: string, token: Body<'scimTokens.create'>, options?: CallOptions) =>
    transport.data('POST /workspaces/{workspace_id}/scim-tokens', [workspaceId], { ...options, body: token }),

  /** Newest first. */
  list: (workspaceId: string, options?: CallOptions) =>
    transport.list('GET /workspaces/{workspace_id}/scim-tokens', [workspaceId], options),

  /** It stops working at once. @throws DocentError `SCIM_TOKEN_NOT_FOUND` */
  revoke: (workspaceId: string, id: string, options?: CallOptions) =>
    transport.data('DELETE /workspaces/{workspace_id}/scim-tokens/{scim_token_id}', [workspaceId, id], options),
})

/**
 * OpenID Connect providers that a workspace sets up by itself, for admins and owners. None gives a role above that of
 * its maker; those that an operator set are listed, and cannot be changed (409 `PROVIDER_BY_ENVIRONMENT`).
 */
export const signInProviders = (transport: Transport) => ({
  list: (workspaceId: string, options?: CallOptions) =>
    transport.list('GET /workspaces/{workspace_id}/sign-in-providers', [workspaceId], options),

  /** It is on the sign-in page at once. @throws DocentError `PROVIDER_ID_CONFLICT` */
  create: (workspaceId: string, provider: Body<'signInProviders.create'>, options?: CallOptions) =>
    transport.data('POST /workspaces/{workspace_id}/sign-in-providers', [workspaceId], { ...options, body: provider }),

  /** All settings; a `client_secret` that is left out stays, as long as the issuer does. */
  replace: (workspaceId: string, id: string, provider: Body<'signInProviders.replace'>, options?: CallOptions) =>
    transport.data('PUT /workspaces/{workspace_id}/sign-in-providers/{sign_in_provider_id}', [workspaceId, id], {
      ...options,
      body: provider,
    }),

  /** People who are signed in stay so. */
  delete: (workspaceId: string, id: string, options?: CallOptions) =>
    transport.data(
      'DELETE /workspaces/{workspace_id}/sign-in-providers/{sign_in_provider_id}',
      [workspaceId, id],
      options,
    ),

  /** Asks the provider for its description and its keys, and whether it knows the client. */
  test: (workspaceId: string, provider: Body<'signInProviders.test'>, options?: CallOptions) =>
    transport.data('POST /workspaces/{workspace_id}/sign-in-providers/test', [workspaceId], {
      ...options,
      body: provider,
    }),
})

/** Links that make anyone who opens them a member, once. */
export const invitations = (transport: Transport) => ({
  /** Its `url` is shown this once; it works for a week by default. */
  create: (invitation: Body<'invitations.create'>, options?: CallOptions) =>
    transport.data('POST /invitations', [], { ...options, body: invitation }),

  /** Open invitations, newest first. */
  list: (query?: Query<'invitations.list'>, options?: CallOptions) =>
    transport.list('GET /invitations', [], { ...options, query }),

  revoke: (id: string, options?: CallOptions) => transport.data('DELETE /invitations/{invitation_id}', [id], options),
})
