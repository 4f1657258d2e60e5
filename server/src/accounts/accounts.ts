import type { FastifyPluginAsync } from 'fastify'
import type { BeginSessionOptions, FailedAttempts, KeyService, SessionService } from '../access/access.ts'
import type { Db } from '../db.ts'
import type { KernelParts } from '../kernel-parts.ts'
import type { Clock } from '../platform/clock.ts'
import type { CreateLimiter } from '../platform/cluster/limits/rate-limit.ts'
import type { Outbound } from '../platform/outbound/outbound.ts'
import type { SignInProvider } from '../platform/sign-in-providers.ts'
import { groupRoutes } from './groups/groups.routes.ts'
import { createGroupService } from './groups/groups.service.ts'
import { invitationRoutes } from './invitations/invitations.routes.ts'
import { InvitationService } from './invitations/invitations.service.ts'
import { createMailer, type Mailer, type MailSettings } from './mail/mailer.ts'
import { memberRoutes } from './members/members.routes.ts'
import { MemberService } from './members/members.service.ts'
import { createKnownProviders } from './own-providers/known-providers.ts'
import { ownProviderRoutes } from './own-providers/own-providers.routes.ts'
import { OwnProviders } from './own-providers/own-providers.service.ts'
import { passkeySignInRoutes } from './passkeys/passkey-sign-in.routes.ts'
import { passkeyRoutes } from './passkeys/passkeys.routes.ts'
import { createPasskeyService } from './passkeys/passkeys.service.ts'
import { createPasswordLinkService } from './password-links/password-links.service.ts'
import { pictureRoutes } from './pictures/pictures.routes.ts'
import { createPictureService } from './pictures/pictures.service.ts'
import { accountRoutes } from './profile/account.routes.ts'
import { AccountService } from './profile/account.service.ts'
import { personalKeyRoutes } from './profile/personal-keys.routes.ts'
import { createPersonalKeyService } from './profile/personal-keys.service.ts'
import { providerRoutes } from './providers/providers.routes.ts'
import { ProviderService } from './providers/providers.service.ts'
import { type ScimRoutesOptions, scimRoutes } from './scim/scim.routes.ts'
import { ScimUserService } from './scim/scim-users.service.ts'
import { createLimits, FORGOTTEN, SECOND_FACTOR, SIGN_IN } from './sign-in/sign-in.limits.ts'
import { signInRoutes } from './sign-in/sign-in.routes.ts'
import { createSignInService } from './sign-in/sign-in.service.ts'
import { twoFactorRoutes } from './two-factor/two-factor.routes.ts'
import { createTwoFactorService } from './two-factor/two-factor.service.ts'

export { removeTwoFactorByOperator } from './two-factor/remove-by-operator.ts'

export interface AccountLinksOptions
  extends Pick<KernelParts, 'clock' | 'db' | 'logger' | 'newId' | 'pubsub' | 'writes'> {
  sessions: Pick<SessionService, 'listOfAccount' | 'end'>
  keys: KeyService
  /** Absent where the server sends no e-mail. */
  mailer?: Mailer
  /** Address at which people reach the server: links begin with it. */
  publicUrl(): string
}

export interface AccountsOptions extends AccountLinksOptions, Omit<BeginSessionOptions, 'members' | 'config'> {
  config: BeginSessionOptions['config'] & { mail?: MailSettings; signInProviders: SignInProvider[] }
  outbound: Outbound
  getSecret(use: 'secrets'): Promise<string>
  sessions: SessionService
  createLimiter: CreateLimiter
  failedAttempts: FailedAttempts
}

export type Accounts = ReturnType<typeof createAccounts>

/** Links by which people come in; an operator on the command line makes them, too. */
export function createAccountLinks(options: AccountLinksOptions) {
  const members = new MemberService({
    ...options,
    onKeysChanged: (keyIds) => {
      for (const keyId of keyIds) options.pubsub.publish('keys.revoked', keyId)
    },
  })
  const invitations = new InvitationService({ ...options, members })
  const passwordLinks = createPasswordLinkService({ ...options, members })
  return { members, invitations, passwordLinks }
}

/** People: their accounts, where they are members, how they sign in, and who invites them. */
export function createAccounts(options: AccountsOptions) {
  const { mail } = options.config
  const mailer = mail && createMailer(mail)
  const { members, invitations, passwordLinks } = createAccountLinks({ ...options, mailer })
  const forgottenLimits = createLimits(options.createLimiter, FORGOTTEN)
  const groups = createGroupService(options)
  const signInLimits = createLimits(options.createLimiter, SIGN_IN)
  const signIn = createSignInService({ ...options, limits: signInLimits })
  const knownProviders = createKnownProviders(options)
  const ownProviders = new OwnProviders({ ...options, knownProviders })
  const providers = new ProviderService({ ...options, members, signIn, knownProviders })
  const profile = new AccountService({ ...options, members, signIn, passwordLinks })
  const codeLimits = createLimits(options.createLimiter, SECOND_FACTOR)
  const twoFactor = createTwoFactorService({ ...options, members, codeLimits })
  const passkeys = createPasskeyService(options)
  const pictures = createPictureService({ ...options, profile, members })
  const personalKeys = createPersonalKeyService({ ...options, members })
  const scimUsers = new ScimUserService({ ...options, members, invitations })
  return {
    members,
    groups,
    invitations,
    passwordLinks,
    signIn,
    twoFactor,
    passkeys,
    providers,
    ownProviders,
    profile,
    pictures,
    personalKeys,
    scimUsers,
    signInLimits,
    codeLimits,
    forgottenLimits,
  }
}

interface RouteNeeds extends Omit<BeginSessionOptions, 'members'> {
  accounts: Accounts
  failedAttempts: FailedAttempts
}

/** Routes for people who are not signed in yet. */
export const openAccountRoutes =
  (needs: RouteNeeds & { db: Db; clock: Clock; getSecret(use: 'secrets'): Promise<string> }): FastifyPluginAsync =>
  async (app) => {
    await app.register(signInRoutes({ ...needs, ...needs.accounts }))
    await app.register(passkeySignInRoutes({ ...needs, ...needs.accounts }))
    await app.register(providerRoutes({ ...needs, ...needs.accounts }))
  }

/** Routes by which the directory of a company manages the members. */
export const directoryRoutes = (needs: Omit<ScimRoutesOptions, 'scimUsers'> & { accounts: Accounts }) =>
  scimRoutes({ ...needs, ...needs.accounts })

/** Routes for people who are signed in, and for keys. @param needs.operations ids that the scopes of a personal key may name */
export const accountsRoutes =
  (
    needs: RouteNeeds & { operations: ReadonlySet<string>; getSecret(use: 'secrets'): Promise<string> },
  ): FastifyPluginAsync =>
  async (app) => {
    const all = { ...needs, ...needs.accounts }
    await app.register(accountRoutes(all))
    await app.register(pictureRoutes(all))
    await app.register(twoFactorRoutes(all))
    await app.register(passkeyRoutes(all))
    await app.register(personalKeyRoutes(all))
    await app.register(memberRoutes(all))
    await app.register(groupRoutes(all))
    await app.register(invitationRoutes(all))
    await app.register(ownProviderRoutes(all))
  }
