import type { Kernel } from '../kernel.ts'
import { createEnsureVirtualUser } from './attribution.ts'
import { createUserService } from './users.service.ts'

export { AttributionEmail, type EnsureVirtualUser, findVirtualUser } from './attribution.ts'
export { VirtualUserNotFoundError } from './users.errors.ts'
export { userRoutes as usersRoutes } from './users.routes.ts'
export { VirtualUserParams, WorkspaceParams } from './users.schemas.ts'
export type { UserService } from './users.service.ts'

/** Virtual users. */
export const createUsers = (kernel: Kernel) => ({
  ensureVirtualUser: createEnsureVirtualUser(kernel),
  users: createUserService(kernel),
})
