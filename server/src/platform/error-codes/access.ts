import type { ErrorDescription } from './error-description.ts'

/** Errors about keys, rights and signed links. */
export const ACCESS_ERRORS = {
  UNAUTHORIZED: {
    status: 401,
    meaning: 'The request has no valid credentials',
    cause: 'There is no key, or it is wrong, revoked or expired; the session has ended',
    cure: 'Send a key that works in the header x-api-key, or sign in again',
  },
  FORBIDDEN: {
    status: 403,
    meaning: 'The caller is known, and may not do this',
    cause: 'The role, a permission, a scope of the key or the rights to a folder or an agent do not allow it',
    cure: 'Use a key with the right that the message names, or ask an admin for it',
  },
  SECOND_FACTOR_NEEDED: {
    status: 403,
    meaning: 'The workspace demands a second factor, and this account has none',
    cause: 'An admin made a second factor mandatory',
    cure: 'Set up an authenticator app or a passkey on the account page',
  },
  API_KEY_NOT_FOUND: {
    status: 404,
    meaning: 'The workspace has no API key with this id',
    cause: 'The key was revoked and removed, or is of another workspace',
    cure: 'Take the id from GET /v1/workspaces/{workspace_id}/api-keys',
  },
  LAST_OWNER_KEY: {
    status: 409,
    meaning: 'The last key of an owner cannot be revoked or lowered',
    cause: 'Nobody could manage the workspace any more',
    cure: 'Make another key with the role owner first',
  },
  SCIM_TOKEN_NOT_FOUND: {
    status: 404,
    meaning: 'The workspace has no SCIM token with this id',
    cause: 'It was revoked, or is of another workspace',
    cure: 'Take the id from the list of SCIM tokens',
  },
  LINK_INVALID: {
    status: 403,
    meaning: 'The signature of a link is invalid',
    cause: 'The link was changed or cut off',
    cure: 'Ask for a new link, and use it as it is',
  },
  LINK_EXPIRED: {
    status: 403,
    meaning: 'A signed link is too old',
    cause: 'Signed links work for a while only',
    cure: 'Ask for the message, the file or the delivery again: it comes with a new link',
  },
} as const satisfies Record<string, ErrorDescription>
