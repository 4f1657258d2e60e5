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
export { LanguageDialog } from './choose-language.ts'
export { deleteUnlessUndone } from './delayed-deletion.ts'
export { NoAccess } from './no-access.tsx'
export { PersonFace } from './person-face.tsx'
export { queryClient } from './query-cache.ts'
export { roleName } from './role-name.ts'
export {
  actAsUser,
  actAsVisitor,
  authHeaders,
  changePassword,
  checkSession,
  chooseWorkspace,
  deleteAccount,
  docent,
  identity,
  isVisitor,
  onSignOut,
  passkeys,
  signedInClient,
  signOut,
  useSession,
  useUserEnded,
} from './session.ts'
export { CodeField } from './sign-in/code-field.tsx'
export { goToProvider } from './sign-in/provider.ts'
export { SecretField } from './sign-in/secret-field.tsx'
export { SignIn } from './sign-in.tsx'
export { Unreachable } from './unreachable.tsx'
