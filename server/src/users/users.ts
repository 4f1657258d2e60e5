import type { Kernel } from '../kernel.ts'
import { createEnsureVirtualUser } from './attribution.ts'
import { createUserService } from './users.service.ts'

export { userRoutes as usersRoutes } from './users.routes.ts'

/** Virtual users. */
export const createUsers = (kernel: Kernel) => ({
  ensureVirtualUser: createEnsureVirtualUser(kernel),
  users: createUserService(kernel),
})
