import type { FastifyPluginAsync } from 'fastify'
import type { Kernel } from '../kernel.ts'
import { createEnsureVirtualUser } from './attribution.ts'
import { createResolveScopes } from './resolve-scopes.ts'
import { userTokenRoutes } from './tokens/user-tokens.routes.ts'
import {
  createUserTokenService,
  type UserTokenService,
  type UserTokenServiceOptions,
} from './tokens/user-tokens.service.ts'
import { createUserTokens } from './tokens/user-tokens.ts'
import { userRoutes } from './users.routes.ts'
import { createUserService, type UserService } from './users.service.ts'

export { AttributionEmail, type EnsureVirtualUser, findVirtualUser } from './attribution.ts'
export { findEmailInChat, findSpokenFor } from './speaking.ts'
export type { UserTokenService } from './tokens/user-tokens.service.ts'
export { VirtualUserNotFoundError } from './users.errors.ts'
export { VirtualUserParams, WorkspaceParams } from './users.schemas.ts'
export type { UserService } from './users.service.ts'
export { findEmailsOfUser } from './users.store.ts'

/** Virtual users. */
export function createUsers(kernel: Kernel) {
  const ensureVirtualUser = createEnsureVirtualUser(kernel)
  return {
    ensureVirtualUser,
    users: createUserService(kernel),
    resolveScopes: createResolveScopes({ ...kernel, ensureVirtualUser }),
  }
}

type TokenNeeds = Pick<UserTokenServiceOptions, 'ensureVirtualUser' | 'findKey' | 'requireAgent' | 'requireFolders'>

/** Tokens of virtual users, once there is what they open. */
export const createTokensOfUsers = async (kernel: Kernel, needs: TokenNeeds) => ({
  userTokens: createUserTokenService({
    ...kernel,
    ...needs,
    tokens: createUserTokens(await kernel.getSecret('user tokens')),
  }),
})

export const usersRoutes =
  (services: { users: UserService; userTokens: UserTokenService }): FastifyPluginAsync =>
  async (app) => {
    await app.register(userRoutes(services))
    await app.register(userTokenRoutes(services))
  }
