import { DomainError, type ErrorDetail, invalidField, UnavailableError } from '../platform/errors.ts'

/** One answer for an unknown e-mail and a wrong password: nobody learns which accounts there are. */
export const WRONG_SIGN_IN = 'The e-mail or the password is not right'

export class EmailNotSetUpError extends DomainError {
  override name = 'EmailNotSetUpError'
  readonly code = 'EMAIL_NOT_SET_UP'
  constructor() {
    super('This server sends no e-mail (SMTP_URL is not set): ask an admin of your workspace for a link')
  }
}

export class NoWorkspaceError extends DomainError {
  override name = 'NoWorkspaceError'
  readonly code = 'NO_WORKSPACE'
  constructor() {
    super('This account is no longer a member of any workspace; ask for an invitation')
  }
}

/** Wrong password given by a person who is already signed in: the session stays open. */
export class WrongPasswordError extends DomainError {
  override name = 'WrongPasswordError'
  readonly code = 'WRONG_PASSWORD'
  constructor() {
    super('The password is incorrect')
  }
}

/** A second factor that is not right, or was used: the error does not say which. */
export class WrongCodeError extends DomainError {
  override name = 'WrongCodeError'
  readonly code = 'WRONG_CODE'
  constructor() {
    super('This code is incorrect or was already used: wait for the next one in the app')
  }
}

export class SignInExpiredError extends DomainError {
  override name = 'SignInExpiredError'
  readonly code = 'SIGN_IN_EXPIRED'
  constructor() {
    super('This sign-in was started in another browser or has expired: enter e-mail and password again')
  }
}

export class PasswordNeededError extends DomainError {
  override name = 'PasswordNeededError'
  readonly code = 'PASSWORD_NEEDED'
  constructor() {
    super('This account has no password, so its sign-in provider asks for a second factor')
  }
}

export class TwoFactorIsOnError extends DomainError {
  override name = 'TwoFactorIsOnError'
  readonly code = 'TWO_FACTOR_ON'
  constructor() {
    super('This account already has a second factor; turn it off first')
  }
}

export class TwoFactorIsOffError extends DomainError {
  override name = 'TwoFactorIsOffError'
  readonly code = 'TWO_FACTOR_OFF'
  constructor() {
    super('This account has no second factor')
  }
}

/** A passkey that signed something else, is not known or was copied: the error does not say which. */
export class PasskeyRefusedError extends DomainError {
  override name = 'PasskeyRefusedError'
  readonly code = 'PASSKEY_REFUSED'
  constructor() {
    super('This passkey is unknown, or its answer is invalid: try again, or continue another way')
  }
}

export class ChallengeExpiredError extends DomainError {
  override name = 'ChallengeExpiredError'
  readonly code = 'CHALLENGE_EXPIRED'
  constructor() {
    super('This was started in another browser, has expired or was already completed: start again')
  }
}

/** A change of the passkeys of an account that has a second factor, without that one. */
export class SecondProofNeededError extends DomainError {
  override name = 'SecondProofNeededError'
  readonly code = 'SECOND_PROOF_NEEDED'
  constructor() {
    super(
      'This account has a second factor: send a code from its app as code, or the answer of one of its passkeys as passkey',
    )
  }
}

export class PasskeysNotSetUpError extends DomainError {
  override name = 'PasskeysNotSetUpError'
  readonly code = 'PASSKEYS_NOT_SET_UP'
  constructor() {
    super('Passkeys need an https address with a host name: an operator has to set it as DOCENT_PUBLIC_URL')
  }
}

export class PasskeyNotFoundError extends DomainError {
  override name = 'PasskeyNotFoundError'
  readonly code = 'PASSKEY_NOT_FOUND'
  constructor() {
    super('This account has no passkey with this id')
  }
}

export class PasskeyExistsError extends DomainError {
  override name = 'PasskeyExistsError'
  readonly code = 'PASSKEY_EXISTS'
  constructor() {
    super('This passkey already belongs to an account')
  }
}

export class PasskeyLimitError extends DomainError {
  override name = 'PasskeyLimitError'
  readonly code = 'PASSKEY_LIMIT'
  constructor(most: number) {
    super(`An account has at most ${most} passkeys: remove one first`)
  }
}

export class WeakPasswordError extends DomainError {
  override name = 'WeakPasswordError'
  readonly code = 'WEAK_PASSWORD'
  override readonly details: ErrorDetail[]
  constructor(why: string) {
    super(`This password is too easy to guess. ${why}`)
    this.details = [{ path: 'password', message: this.message }]
  }
}

/** A link that was used, revoked, has expired or was never made: the error does not say which. */
export class LinkNotValidError extends DomainError {
  override name = 'LinkNotValidError'
  readonly code = 'LINK_NOT_VALID'
  constructor() {
    super('This link is no longer valid: it works once, for a limited time. Ask for another one')
  }
}

export class MemberNotFoundError extends DomainError {
  override name = 'MemberNotFoundError'
  readonly code = 'MEMBER_NOT_FOUND'
  constructor() {
    super('This workspace has no member with this id')
  }
}

export class PictureNotFoundError extends DomainError {
  override name = 'PictureNotFoundError'
  readonly code = 'PICTURE_NOT_FOUND'
  constructor() {
    super('This member has no picture')
  }
}

export class MemberExistsError extends DomainError {
  override name = 'MemberExistsError'
  readonly code = 'MEMBER_EXISTS'
  constructor(email: string) {
    super(`${email} is already a member of this workspace`)
  }
}

/**
 * Invitation to a person whose account belongs to another organization: nobody joins a foreign workspace without being
 * asked.
 */
export class OtherMembershipError extends DomainError {
  override name = 'OtherMembershipError'
  readonly code = 'MEMBER_ELSEWHERE'
  constructor(email: string) {
    super(`${email} belongs to another organization: invite them with POST /v1/invitations, so that they can agree`)
  }
}

export class LastOwnerError extends DomainError {
  override name = 'LastOwnerError'
  readonly code = 'LAST_OWNER'
  constructor() {
    super('This is the last owner among the members; make another member an owner first')
  }
}

/** Sign-in of a former member whom the company's directory no longer admits. */
export class EndedByDirectoryError extends DomainError {
  override name = 'EndedByDirectoryError'
  readonly code = 'ENDED_BY_DIRECTORY'
  constructor() {
    super("Your company's directory has ended your access to this workspace; it can only be restored there")
  }
}

export class GroupNotFoundError extends DomainError {
  override name = 'GroupNotFoundError'
  readonly code = 'GROUP_NOT_FOUND'
  constructor() {
    super('This workspace has no group with this id')
  }
}

export class GroupNameConflictError extends DomainError {
  override name = 'GroupNameConflictError'
  readonly code = 'GROUP_NAME_CONFLICT'
  constructor(name: string) {
    super(`A group named "${name}" already exists in this workspace`)
  }
}

export class InvitationNotFoundError extends DomainError {
  override name = 'InvitationNotFoundError'
  readonly code = 'INVITATION_NOT_FOUND'
  constructor() {
    super('This workspace has no open invitation with this id')
  }
}

export class SessionNotFoundError extends DomainError {
  override name = 'SessionNotFoundError'
  readonly code = 'SESSION_NOT_FOUND'
  constructor() {
    super('This account has no session with this id')
  }
}

export class ProviderNotFoundError extends DomainError {
  override name = 'ProviderNotFoundError'
  readonly code = 'PROVIDER_NOT_FOUND'
  constructor() {
    super('This server has no sign-in provider with this id')
  }
}

export class ProviderIdConflictError extends DomainError {
  override name = 'ProviderIdConflictError'
  readonly code = 'PROVIDER_ID_CONFLICT'
  constructor(id: string) {
    super(`This server has a sign-in provider with the id ${JSON.stringify(id)} already; choose another one`)
  }
}

export class ProviderByEnvironmentError extends DomainError {
  override name = 'ProviderByEnvironmentError'
  readonly code = 'PROVIDER_BY_ENVIRONMENT'
  constructor() {
    super('An operator set this provider in DOCENT_SIGN_IN_PROVIDERS; it can only be changed there')
  }
}

/** A sign-in with a provider that ends without a session; the message is for the person. */
export class SignInRefusedError extends DomainError {
  override name = 'SignInRefusedError'
  readonly code = 'SIGN_IN_REFUSED'
}

export class ProviderAwayError extends UnavailableError {
  override name = 'ProviderAwayError'
  constructor(provider: string) {
    super(`${provider} could not confirm who you are; try again in a moment, or sign in another way`)
  }
}

export class IdentityNotFoundError extends DomainError {
  override name = 'IdentityNotFoundError'
  readonly code = 'IDENTITY_NOT_FOUND'
  constructor() {
    super('This account is not linked to a sign-in provider with this id')
  }
}

export class LastWayInError extends DomainError {
  override name = 'LastWayInError'
  readonly code = 'LAST_WAY_IN'
  constructor() {
    super('This is the only way to sign in to this account; set a password with a link from an admin first')
  }
}

/** @param path name of the field that lists them */
export const unknownGroups = (path: string) => {
  const message = 'names a group that this workspace does not have'
  return invalidField(path, message)
}
