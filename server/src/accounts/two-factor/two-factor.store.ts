import type { Db, Tx } from '../../db.ts'

/** Authenticator app of an account. */
export interface TwoFactorRecord {
  accountId: string
  /** Base32, sealed with the server's secret. */
  secret: string
  /** Step of 30 seconds of the last code that was used: that one and earlier ones are refused. */
  lastStep: number
  createdAt: string
  /** Time at which the person entered a first code; null while it is being set up and not asked for. */
  confirmedAt: string | null
}

export const findTwoFactor = (db: Db, accountId: string): Promise<TwoFactorRecord | undefined> =>
  db
    .selectFrom('two_factor')
    .select([
      'account_id as accountId',
      'secret',
      'last_step as lastStep',
      'created_at as createdAt',
      'confirmed_at as confirmedAt',
    ])
    .where('account_id', '=', accountId)
    .executeTakeFirst()

export async function insertTwoFactor(tx: Tx, twoFactor: TwoFactorRecord): Promise<void> {
  await tx
    .insertInto('two_factor')
    .values({
      account_id: twoFactor.accountId,
      secret: twoFactor.secret,
      last_step: twoFactor.lastStep,
      created_at: twoFactor.createdAt,
      confirmed_at: twoFactor.confirmedAt,
    })
    .execute()
}

/** @returns whether the step was a later one: of several that use a code at the same time one gets true */
export async function takeStep(tx: Tx, accountId: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('two_factor')
    .set({ last_step: step })
    .where('account_id', '=', accountId)
    .where('last_step', '<', step)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

export async function confirmTwoFactor(tx: Tx, accountId: string, at: string): Promise<void> {
  await tx.updateTable('two_factor').set({ confirmed_at: at }).where('account_id', '=', accountId).execute()
}

/** Removes the app with its recovery codes. @returns whether a second factor was asked for until now */
export async function deleteTwoFactorOf(tx: Tx, accountId: string): Promise<boolean> {
  const twoFactor = await findTwoFactor(tx, accountId)
  await tx.deleteFrom('recovery_code').where('account_id', '=', accountId).execute()
  await tx.deleteFrom('two_factor').where('account_id', '=', accountId).execute()
  return twoFactor?.confirmedAt != null
}

/** Replaces the codes that there were. */
export async function setRecoveryCodes(tx: Tx, accountId: string, hashes: string[]): Promise<void> {
  await tx.deleteFrom('recovery_code').where('account_id', '=', accountId).execute()
  const rows = hashes.map((hash) => ({ account_id: accountId, code_hash: hash }))
  await tx.insertInto('recovery_code').values(rows).execute()
}

/** @returns whether it was there: of several that use it at the same time one gets true */
export async function takeRecoveryCode(tx: Tx, accountId: string, hash: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('recovery_code')
    .where('account_id', '=', accountId)
    .where('code_hash', '=', hash)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

export async function countRecoveryCodes(db: Db, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_code')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return Number(count)
}
