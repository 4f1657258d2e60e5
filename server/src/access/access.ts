import type { FastifyPluginAsync } from 'fastify'
import type { Kernel } from '../kernel.ts'
import type { OpenStreams } from '../platform/cluster/limits/open-streams.ts'
import { type IdentityOptions, identityRoutes } from './access.routes.ts'
import { createAccessService } from './access.service.ts'
import { createIdempotentRequests } from './idempotency/idempotent-requests.ts'
import { type KeyRoutesOptions, keyRoutes } from './keys/keys.routes.ts'
import { KeyService } from './keys/keys.service.ts'
import { createFailedAttempts } from './limits/failed-attempts.ts'
import { createKeyLimiter } from './limits/key-limiter.ts'
import { createVisitorUseRetention } from './limits/visitor-use.retention.ts'
import { createVisitorUse } from './limits/visitor-use.ts'
import { browserOriginRoutes } from './origins/browser-origins.routes.ts'
import { type BrowserOrigins, createBrowserOrigins } from './origins/browser-origins.service.ts'
import { type ScimTokenRoutesOptions, scimTokenRoutes } from './scim-tokens/scim-tokens.routes.ts'
import { createScimTokens } from './scim-tokens/scim-tokens.service.ts'
import { secondFactorRoutes } from './second-factor/second-factor.routes.ts'
import { SECOND_FACTOR_CHANGED, SecondFactorDemand } from './second-factor/second-factor.service.ts'
import { SessionService } from './sessions/sessions.service.ts'
import { streamCheckRoutes } from './stream-check.routes.ts'

export {
  ForbiddenError,
  IdempotencyConflictError,
  UnauthorizedError,
  visitorsHaveNoEmail,
} from './access.errors.ts'
export { type AccessService, createAccessService, TRUST_MS } from './access.service.ts'
export { type ApiKeyRecord, findKeyName, findKeyNames, type KeyName } from './access.store.ts'
export { type Credentials, findCaller, keyOf, requireApiKey } from './authentication.ts'
export {
  type BeginSessionOptions,
  beginSession,
  originOf,
  type SecondFactorKind,
  secondFactorNeeded,
  signedOut,
  WebSessionReply,
} from './begin-session.ts'
export {
  type Caller,
  isAdmin,
  MEMBER_PERMISSIONS,
  may,
  mayCall,
  PERMISSIONS,
  type Permission,
  RANK,
  type Role,
  requireWholeKey,
  streamsOf,
  type Visitor,
} from './caller.ts'
export { type FolderGrant, listFolderGrants, membersOfGroups, setFolderGrants } from './grants/folder-grants.store.ts'
export { FOLDER_LEVELS, type FolderLevel, type FolderRights, isAtLeast } from './grants/folder-levels.ts'
export {
  type FolderReader,
  findFolderRights,
  raiseFolderRights,
} from './grants/folder-rights.ts'
export { GrantId, GrantKind, grantList, requireOncePerSubject } from './grants/grants.schemas.ts'
export {
  deleteGrantsOfResources,
  deleteGrantsOfSubject,
  findMemberName,
  listGrantsOf,
  listGroupNames,
  listSubjects,
  type NamedSubject,
  type Subject,
  setSubjects,
} from './grants/grants.store.ts'
export { selectAdmin, selectGrantsOfMember } from './grants/grants-of-member.ts'
export { noteNarrowedByEnd, noteNarrowedByGroups, noteNarrowedByMove } from './grants/narrowed-members.ts'
export { requireSubjects } from './grants/require-subjects.ts'
export { listGrantedFolders, moveGrantedFolders, setGrantedFolders } from './grants/virtual-user-grants.ts'
export { listPeople, type PersonOfWorkspace } from './grants/workspace-people.store.ts'
export { acceptIdempotencyKeys, answerAgain, idempotencyKeyOf } from './idempotency/accept-idempotency-keys.ts'
export type { IdempotentRequest, IdempotentRequests, StoredAnswer } from './idempotency/idempotent-requests.ts'
export { hashApiKey, newApiKey } from './keys/api-key.ts'
export { isBound, KeyScopes, type LiveScopes, PersonalKeyScopes, type ResolveScopes } from './keys/key-scopes.ts'
export { ApiKeyNotFoundError } from './keys/keys.errors.ts'
export { toApiKey } from './keys/keys.routes.ts'
export { ApiKey, CreateApiKey, CreatedApiKey, RotateApiKey } from './keys/keys.schemas.ts'
export { KeyService } from './keys/keys.service.ts'
export { requireKnownOperations } from './keys/known-operations.ts'
export type { FailedAttempts } from './limits/failed-attempts.ts'
export type { HeldUpload, VisitorUse } from './limits/visitor-use.ts'
export { listOrganizationNames } from './organizations.store.ts'
export { allowListedOrigins } from './origins/cors.ts'
export { allowEveryOrigin, answerPreflights } from './origins/every-origin.ts'
export { collectPreflights } from './origins/preflights.ts'
export { pictureUrlOf } from './picture-url.ts'
export { findSubjectsOfMember, noteFewerFiles, noteFewerFilesOfGroup } from './readers/member-subjects.ts'
export {
  findNarrowed,
  findReaders,
  hasReaderLists,
  keepReaderList,
  noteFewerReaders,
  READER_LIST_KEPT_MS,
  removeReaderLists,
  selectListsNaming,
} from './readers/reader-lists.store.ts'
export { listIdOf, type ReaderSubject, type Readers, subjectsOfPerson } from './readers/readers.ts'
export { type Reach, reach } from './rules/access-rule.ts'
export { enforceRules } from './rules/enforce-rules.ts'
export { type Granted, grant } from './rules/granted.ts'
export { requireRules } from './rules/require-rules.ts'
export type { Directory, ScimTokens } from './scim-tokens/scim-tokens.service.ts'
export { SECOND_FACTOR_CHANGED } from './second-factor/second-factor.service.ts'
export { getServerSecret } from './server-secret.ts'
export { requireOwnPage } from './sessions/own-page.ts'
export {
  clearOwnCookies,
  clearSessionCookies,
  readOwnCookie,
  sessionTokenOf,
  setOwnCookie,
} from './sessions/session-cookie.ts'
export { sessionRoutes } from './sessions/sessions.routes.ts'
export { type OpenedSession, type SessionOrigin, SessionService } from './sessions/sessions.service.ts'

/** Organizations, workspaces, keys and sessions, and the limits of those who use them. */
export function createAccess(kernel: Kernel) {
  const { config, pubsub, createLimiter } = kernel
  const access = createAccessService(kernel)
  const sessions = new SessionService({ ...kernel, access, ttlMs: config.access.sessionTtlMs })
  const keys = new KeyService({
    ...kernel,
    rateLimit: config.access.rateLimit,
    onChanged: (keyId) => pubsub.publish('keys.revoked', keyId),
  })
  pubsub.subscribe('keys.revoked', (keyId) => {
    access.forget(keyId)
    sessions.forget(keyId)
  })
  pubsub.subscribe(SECOND_FACTOR_CHANGED, () => {
    access.forgetAll()
    sessions.forgetAll()
  })
  const idempotentRequests = createIdempotentRequests(kernel)
  kernel.register({ sweeps: [createVisitorUseRetention(kernel), idempotentRequests.sweep] })
  return {
    access,
    sessions,
    keys,
    browserOrigins: createBrowserOrigins(kernel),
    secondFactorDemand: new SecondFactorDemand(kernel),
    scimTokens: createScimTokens(kernel),
    idempotentRequests,
    rateLimiter: createKeyLimiter(createLimiter, config.access.rateLimit),
    failedAttempts: createFailedAttempts(createLimiter, config.access.failedPerMinute),
    visitorUse: createVisitorUse({ ...kernel, limits: config.visitors }),
    /** The caller behind a visitor's token: a key or a session. */
    findInsider: (organizationId: string, { kind, id }: { kind: 'key' | 'session'; id: string }) =>
      (kind === 'key' ? access : sessions).byId(organizationId, id),
  }
}

/** Routes that need a key. */
export const accessRoutes =
  (
    services: IdentityOptions &
      KeyRoutesOptions &
      ScimTokenRoutesOptions & {
        openStreams: OpenStreams
        browserOrigins: BrowserOrigins
        secondFactorDemand: SecondFactorDemand
      },
  ): FastifyPluginAsync =>
  async (app) => {
    await app.register(identityRoutes(services))
    await app.register(streamCheckRoutes(services))
    await app.register(keyRoutes(services))
    await app.register(browserOriginRoutes(services))
    await app.register(secondFactorRoutes(services))
    await app.register(scimTokenRoutes(services))
  }
