// Front of the session, rights and sign-in: everything that other folders may import.
export {
  refreshAccount,
  signInOptions,
  useAccount,
  useIsAdmin,
  useMay,
  useMe,
  useWorkspaceId,
} from './access.queries.ts'
export { AccountMenu } from './account-menu.tsx'
export { deleteUnlessUndone } from './delayed-deletion.ts'
export { NoAccess } from './no-access.tsx'
export { goToProvider } from './provider.ts'
export { queryClient } from './query-cache.ts'
export { SecretField } from './secret-field.tsx'
export {
  actAsVisitor,
  authHeaders,
  changePassword,
  checkSession,
  deleteAccount,
  docent,
  isVisitor,
  onSignOut,
  signedInClient,
  useSession,
} from './session.ts'
export { SignInPage } from './sign-in-page.tsx'
export { Unreachable } from './unreachable.tsx'
