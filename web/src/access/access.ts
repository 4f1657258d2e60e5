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
export { LanguageDialog } from './language/choose-language.ts'
export { NoAccess } from './lost/no-access.tsx'
export { Unreachable } from './lost/unreachable.tsx'
export { PeopleWithRights } from './people/people-with-rights.tsx'
export { PersonFace } from './people/person-face.tsx'
export { roleName } from './role-name.ts'
export { queryClient } from './session/query-cache.ts'
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
} from './session/session.ts'
export { wholeDocent } from './session/whole-client.ts'
export { CodeField } from './sign-in/code-field.tsx'
export { goToProvider } from './sign-in/provider.ts'
export { SecretField } from './sign-in/secret-field.tsx'
export { SignIn } from './sign-in.tsx'
export { VoiceDialog } from './voice/choose-voice.ts'
