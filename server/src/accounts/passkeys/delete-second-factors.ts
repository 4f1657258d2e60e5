import type { Tx } from '../../db.ts'
import { deleteTwoFactorOf } from '../two-factor/two-factor.store.ts'
import { deletePasskeysOf } from './passkeys.store.ts'

/** Removes the passkeys of an account and its authenticator app. @returns whether it had a second factor */
export async function deleteSecondFactorsOf(tx: Tx, accountId: string): Promise<boolean> {
  const hadPasskeys = await deletePasskeysOf(tx, accountId)
  const hadApp = await deleteTwoFactorOf(tx, accountId)
  return hadPasskeys || hadApp
}
