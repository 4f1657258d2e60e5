/** Errors of operations that no test of the server gets over HTTP, with their status. */
export const SELDOM: Record<string, string[]> = {
  'account.apiKeys.create': ['404 AGENT_NOT_FOUND', '404 KNOWLEDGE_BASE_NOT_FOUND'],
  'account.join': ['404 LINK_NOT_VALID'],
  'account.passkeys.add': ['409 PASSKEYS_NOT_SET_UP', '409 PASSKEY_EXISTS', '409 PASSKEY_LIMIT'],
  'account.twoFactor.remove': ['409 TWO_FACTOR_OFF'],
  'account.twoFactor.renewRecoveryCodes': ['409 TWO_FACTOR_OFF'],
  'apiKeys.create': ['404 AGENT_NOT_FOUND', '404 KNOWLEDGE_BASE_NOT_FOUND'],
  'apiKeys.revoke': ['409 LAST_OWNER_KEY'],
  'dataSources.readText': ['409 DATA_SOURCE_NOT_INDEXED'],
  'projects.create': ['409 KNOWLEDGE_BASE_NAME_CONFLICT'],
  'session.createWithPasskey': ['409 PASSKEYS_NOT_SET_UP'],
  'session.createWithProvider': ['404 PROVIDER_NOT_FOUND'],
  'session.createWithSecondFactor': ['409 PASSKEYS_NOT_SET_UP'],
  'virtualUsers.merge': ['404 VIRTUAL_USER_NOT_FOUND', '409 VIRTUAL_USER_BUSY', '409 SAME_VIRTUAL_USER'],
}
