import type { Docent } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
} from '@simplewebauthn/browser'
import { ExplainedError } from '../platform/errors.ts'

type Answer = Parameters<Docent['session']['createWithPasskey']>[0]
type Made = Parameters<Docent['account']['passkeys']['add']>[0]['passkey']

const library = () => import('@simplewebauthn/browser')

let dialogs = 0

/** Whether the browser shows a dialog for a passkey: another question would close it. */
export const isAsking = (): boolean => dialogs > 0

/** Options as the server gives them, which the browser understands. */
type Options = Record<string, unknown>

/**
 * Has one of the browser's passkeys sign a challenge. @param autofill to offer them in the e-mail field, without a dialog
 * @throws ExplainedError if the person cancels, or there is none
 */
export async function askPasskey(options: Options, { autofill = false } = {}): Promise<Answer> {
  const { startAuthentication: start } = await library()
  const given: Parameters<typeof startAuthentication>[0] = {
    optionsJSON: options as unknown as PublicKeyCredentialRequestOptionsJSON,
    useBrowserAutofill: autofill,
  }
  if (!autofill) dialogs++
  const { id, response } = await start(given)
    .catch(explained)
    .finally(() => {
      if (!autofill) dialogs--
    })
  return {
    id,
    client_data: response.clientDataJSON,
    authenticator_data: response.authenticatorData,
    signature: response.signature,
    user_handle: response.userHandle ?? null,
  }
}

/** Has the browser make a passkey. @throws ExplainedError if the person cancels, or the device has one already */
export async function makePasskey(options: Options): Promise<Made> {
  const { startRegistration } = await library()
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
  const { id, response } = await startRegistration({ optionsJSON }).catch(explained)
  return {
    id,
    client_data: response.clientDataJSON,
    attestation_object: response.attestationObject,
    transports: response.transports ?? [],
  }
}

/** Whether the browser offers passkeys in a field. */
export const canAutofill = async (): Promise<boolean> => (await library()).browserSupportsWebAuthnAutofill()

/** Ends the question that the browser is asking, or the offer in a field. */
export const stopAsking = async (): Promise<void> => (await library()).WebAuthnAbortService.cancelCeremony()

function explained(error: Error): never {
  throw new ExplainedError(explainPasskeyError(error), { cause: error })
}

function explainPasskeyError({ name }: Error): string {
  if (name === 'InvalidStateError') return t`This device already has a passkey of your account.`
  if (name === 'SecurityError')
    return t`Passkeys work only at the address that this server is set up for. Open it there, and try again.`
  if (name === 'NotAllowedError' || name === 'AbortError')
    return t`No passkey was used: it was cancelled, took too long, or there is none here. Try again, or continue another way.`
  return t`This browser or device could not use a passkey. Try another one, or continue another way.`
}
