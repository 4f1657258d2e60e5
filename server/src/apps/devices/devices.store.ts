import type { Db, Tx } from '../../db.ts'

/** Request of a program without a browser, whose person types its code on another device. */
export interface DeviceRecord {
  /** SHA-256 of the code that the program polls with, hex. */
  hash: string
  /** SHA-256 of the code that the person types, hex. */
  userCodeHash: string
  clientId: string
  state: 'pending' | 'approved' | 'refused'
  createdAt: string
  expiresAt: string
  /** Time when the program last asked, and how many seconds it has to leave between. */
  polledAt: string | null
  interval: number
}

export async function insertDevice(tx: Tx, device: DeviceRecord): Promise<void> {
  await tx
    .insertInto('oauth_device')
    .values({
      device_hash: device.hash,
      user_code_hash: device.userCodeHash,
      client_id: device.clientId,
      state: device.state,
      created_at: device.createdAt,
      expires_at: device.expiresAt,
      polled_at: device.polledAt,
      poll_interval: device.interval,
    })
    .execute()
}

const COLUMNS = [
  'device_hash as hash',
  'user_code_hash as userCodeHash',
  'client_id as clientId',
  'state',
  'created_at as createdAt',
  'expires_at as expiresAt',
  'polled_at as polledAt',
  'poll_interval as interval',
] as const

export const findDevice = (db: Db, hash: string): Promise<DeviceRecord | undefined> =>
  db.selectFrom('oauth_device').select(COLUMNS).where('device_hash', '=', hash).executeTakeFirst()

export const findDeviceByUserCode = (db: Db, userCodeHash: string): Promise<DeviceRecord | undefined> =>
  db.selectFrom('oauth_device').select(COLUMNS).where('user_code_hash', '=', userCodeHash).executeTakeFirst()

/** @returns false for one that was decided before */
export async function decideDevice(tx: Tx, hash: string, state: 'approved' | 'refused'): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('oauth_device')
    .set({ state })
    .where('device_hash', '=', hash)
    .where('state', '=', 'pending')
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

export async function recordPoll(
  tx: Tx,
  hash: string,
  { at, interval }: { at: string; interval: number },
): Promise<void> {
  await tx
    .updateTable('oauth_device')
    .set({ polled_at: at, poll_interval: interval })
    .where('device_hash', '=', hash)
    .execute()
}

export async function deleteOldDevices(db: Db, before: string, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('oauth_device')
    .where('device_hash', 'in', (select) =>
      select.selectFrom('oauth_device').select('device_hash').where('expires_at', '<', before).limit(limit),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
