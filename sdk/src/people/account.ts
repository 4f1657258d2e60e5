import { type CallOptions, type Transport, withoutKeys } from '../http/transport.ts'
import type { Body } from '../operations.ts'

/**
 * The account of the person who is signed in to pages of the server's own origin. A key has no account: DocentError
 * `FORBIDDEN`. A password that is asked for again and is not right: `WRONG_PASSWORD`.
 */
export const account = (transport: Transport) => ({
  /** Name, e-mail, and the workspaces that the account is a member of. */
  get: (options?: CallOptions) => transport.data('GET /account', [], options),

  update: (changes: Body<'account.update'>, options?: CallOptions) =>
    transport.data('PATCH /account', [], { ...options, body: changes }),

  /** Picture that others of the workspaces see. */
  picture: {
    /** @param content PNG, JPEG or WebP in Base64, of at most 200,000 bytes. @throws DocentError `VALIDATION_ERROR` */
    set: (content: string, options?: CallOptions) =>
      transport.data('PUT /account/picture', [], { ...options, body: { content } }),

    remove: (options?: CallOptions) => transport.data('DELETE /account/picture', [], options),
  },

  /** Deletes the account, its keys and sessions. @throws DocentError `LAST_OWNER` of a workspace */
  delete: (password: string, options?: CallOptions) =>
    transport.data('POST /account/deletion', [], { ...options, body: { password } }),

  /** Ends all other sessions, too. @throws DocentError `WEAK_PASSWORD` that says why */
  changePassword: (password: string, newPassword: string, options?: CallOptions) => {
    const body = { password, new_password: newPassword }
    return transport.data('PUT /account/password', [], { ...options, body })
  },

  /** Continues in another workspace of the account. */
  chooseWorkspace: (workspaceId: string, options?: CallOptions) => {
    const body = { workspace_id: workspaceId }
    return transport.data('PUT /account/workspace', [], { ...options, body })
  },

  /**
   * Uses an invitation with this account.
   * @param token what the link has behind its `#`.
   * @throws DocentError `LINK_NOT_VALID`
   */
  join: (token: string, options?: CallOptions) =>
    transport.data('POST /account/invitations', [], { ...options, body: { token } }),

  sessions: {
    /** Browsers that are signed in, the last used first. */
    list: (options?: CallOptions) => transport.list('GET /account/sessions', [], options),

    end: (id: string, options?: CallOptions) => transport.data('DELETE /account/sessions/{session_id}', [id], options),

    /** Ends all but the one that asks. */
    endOthers: (options?: CallOptions) => transport.data('DELETE /account/sessions', [], options),
  },

  /** Authenticator app that is asked for after the password; `get` tells whether there is one. */
  twoFactor: {
    /** Makes a secret for an app; `confirm` turns it on. @throws DocentError `TWO_FACTOR_ON`, `PASSWORD_NEEDED` */
    begin: (password: string, options?: CallOptions) =>
      transport.data('POST /account/two-factor', [], { ...options, body: { password } }),

    /** Ends all other sessions, too. @returns recovery codes, shown this once. @throws DocentError `WRONG_CODE` */
    confirm: (code: string, options?: CallOptions) =>
      transport.data('POST /account/two-factor/confirmation', [], { ...options, body: { code } }),

    /** Makes ten other codes. @throws DocentError `WRONG_CODE` */
    renewRecoveryCodes: (proof: Body<'account.twoFactor.renewRecoveryCodes'>, options?: CallOptions) =>
      transport.data('POST /account/two-factor/recovery-codes', [], { ...options, body: proof }),

    /** Turns it off. @throws DocentError `WRONG_CODE` */
    remove: (proof: Body<'account.twoFactor.remove'>, options?: CallOptions) =>
      transport.data('POST /account/two-factor/removal', [], { ...options, body: proof }),
  },

  /** Passkeys, which sign in alone and count as second factor after the password; `get` lists them. */
  passkeys: {
    /** @returns `options` for `navigator.credentials.get`: proof for `begin` and `remove` */
    challenge: (options?: CallOptions) => transport.data('POST /account/passkeys/challenge', [], options),

    /** @returns `options` for `navigator.credentials.create`. @throws DocentError `SECOND_PROOF_NEEDED` */
    begin: (proof: Body<'account.passkeys.begin'>, options?: CallOptions) =>
      transport.data('POST /account/passkeys/options', [], { ...options, body: proof }),

    /** Adds what the browser made. @throws DocentError `PASSKEY_REFUSED`, `CHALLENGE_EXPIRED` */
    add: (passkey: Body<'account.passkeys.add'>, options?: CallOptions) =>
      transport.data('POST /account/passkeys', [], { ...options, body: passkey }),

    update: (id: string, changes: Body<'account.passkeys.update'>, options?: CallOptions) =>
      transport.data('PATCH /account/passkeys/{passkey_id}', [id], { ...options, body: changes }),

    /** @throws DocentError `LAST_WAY_IN` for the only way into an account without a password */
    remove: (id: string, proof: Body<'account.passkeys.remove'>, options?: CallOptions) =>
      transport.data('POST /account/passkeys/{passkey_id}/removal', [id], { ...options, body: proof }),
  },

  /** Providers by which the account signs in; `get` lists them. */
  identities: {
    /** @throws DocentError `LAST_WAY_IN` for the only way into an account without a password */
    unlink: (id: string, options?: CallOptions) =>
      transport.data('DELETE /account/identities/{identity_id}', [id], options),
  },

  /** Apps that act for the person in the workspace of the session, as OAuth has it. */
  apps: {
    /**
     * Shows what an app asks for.
     * @param query of the address to which the app sent the browser @throws DocentError `OAUTH_REQUEST_INVALID`
     */
    check: (query: string, options?: CallOptions) =>
      transport.data('POST /account/apps/actions/check', [], { ...options, body: { query } }),

    /** Lets an app act for the person, or refuses it. @returns where to send the browser, in `redirect_to` */
    decide: (decision: Body<'account.apps.decide'>, options?: CallOptions) =>
      transport.data('POST /account/apps/actions/decide', [], { ...options, body: decision }),

    /**
     * Shows which program without a browser waits for a code that it shows.
     * @throws DocentError `OAUTH_REQUEST_INVALID`
     */
    checkDevice: (userCode: string, options?: CallOptions) =>
      transport.data('POST /account/devices/actions/check', [], { ...options, body: { user_code: userCode } }),

    /** Lets that program act for the person, or refuses it. */
    decideDevice: (decision: Body<'account.apps.decideDevice'>, options?: CallOptions) =>
      transport.data('POST /account/devices/actions/decide', [], { ...options, body: decision }),

    list: (options?: CallOptions) => transport.list('GET /account/apps', [], options),

    /** Disconnects an app. */
    revoke: (id: string, options?: CallOptions) => transport.data('DELETE /account/apps/{app_id}', [id], options),
  },

  /** Personal keys in the workspace of the session: they may what the member may, and end with the membership. */
  apiKeys: {
    /** Its `key` is shown this once. */
    create: (key: Body<'account.apiKeys.create'>, options?: CallOptions) =>
      transport.data('POST /account/api-keys', [], { ...options, body: key }),

    list: (options?: CallOptions) => transport.list('GET /account/api-keys', [], options),

    /** Gives it a new `key`, shown this once; the earlier one works for a day by default. */
    rotate: (id: string, rotation: Body<'account.apiKeys.rotate'> = {}, options?: CallOptions) =>
      transport.data('POST /account/api-keys/{key_id}/rotate', [id], {
        ...options,
        body: rotation,
      }),

    revoke: (id: string, options?: CallOptions) => transport.data('DELETE /account/api-keys/{key_id}', [id], options),
  },
})

/** Uses of a link by people who are not signed in yet, on pages of the server's own origin. */
export const links = (ofAll: Transport) => linksOf(withoutKeys(ofAll))

const linksOf = (transport: Transport) => ({
  /** Shows the workspace and the role of an invitation. @param token what the link has behind its `#` */
  lookAtInvitation: (token: string, options?: CallOptions) =>
    transport.data('POST /invitations/look', [], { ...options, body: { token } }),

  /** Makes an account, or takes the one with this e-mail and password, and signs in. */
  acceptInvitation: (person: Body<'invitations.accept'>, options?: CallOptions) =>
    transport.data('POST /invitations/accept', [], { ...options, body: person }),

  /** Has a link for a forgotten password sent, if there is such an account. @throws DocentError `EMAIL_NOT_SET_UP` */
  requestPassword: (email: string, options?: CallOptions) =>
    transport.data('POST /password-links', [], { ...options, body: { email } }),

  /** Sets another password. @throws DocentError `LINK_NOT_VALID`, `WEAK_PASSWORD` */
  setPassword: (token: string, password: string, options?: CallOptions) =>
    transport.data('POST /password-links/use', [], { ...options, body: { token, password } }),
})
