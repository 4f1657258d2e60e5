// Front of the session, rights and sign-in: everything that other folders may import.
export { useIsAdmin, useMay, useMe, useWorkspaceId } from './access.queries.ts'
export { AccountMenu } from './account-menu.tsx'
export { NotForYou } from './not-for-you.tsx'
export { queryClient } from './query-cache.ts'
export {
  actAsVisitor,
  asInsider,
  beforeSignOut,
  checkSession,
  docent,
  isVisitor,
  onSignOut,
  ownHeaders,
  useSession,
} from './session.ts'
export { SignInPage } from './sign-in-page.tsx'
export { Unreachable } from './unreachable.tsx'
