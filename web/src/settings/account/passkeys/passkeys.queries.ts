import type { Account, Passkey } from '@docent/sdk'
import { passkeys, queryClient, refreshAccount, wholeDocent } from '../../../access/access.ts'

/** Proof that a person types; a passkey takes the place of a code where the account has no app. */
export interface TypedProof {
  password: string
  code: string
}

/** Whether one of the account's passkeys has to prove a change: it has a second factor, and no app. */
export const needsPasskey = ({ has_password, two_factor, passkeys }: Account): boolean =>
  has_password && two_factor === null && passkeys.length > 0

async function proofOf(account: Account, { password, code }: TypedProof) {
  if (!account.has_password) return {}
  if (account.two_factor) return { password, code: code.trim() }
  if (!needsPasskey(account)) return { password }
  const { options } = await wholeDocent().account.passkeys.challenge()
  const { askPasskey } = await passkeys()
  return { password, passkey: await askPasskey(options) }
}

export async function addPasskey(account: Account, { name, ...typed }: TypedProof & { name: string }): Promise<void> {
  const { options } = await wholeDocent().account.passkeys.begin(await proofOf(account, typed))
  const { makePasskey } = await passkeys()
  const passkey = await makePasskey(options)
  await wholeDocent().account.passkeys.add({ name, passkey })
  await refresh()
}

export async function renamePasskey({ id }: Passkey, name: string): Promise<void> {
  await wholeDocent().account.passkeys.update(id, { name })
  await refresh()
}

export async function removePasskey(account: Account, { id }: Passkey, typed: TypedProof): Promise<void> {
  await wholeDocent().account.passkeys.remove(id, await proofOf(account, typed))
  await refresh()
}

/** The sessions that ended are listed with the account. */
const refresh = () => refreshAccount(queryClient)
