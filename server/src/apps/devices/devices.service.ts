import type { Caller, FailedAttempts } from '../../access/access.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import type { CreateLimiter } from '../../platform/cluster/limits/rate-limit.ts'
import { takeAdvisoryLock } from '../../platform/database/statements/advisory-locks.ts'
import { commitChecked } from '../../platform/database/statements/commit-checked.ts'
import { networkOf } from '../../platform/outbound/network-of.ts'
import { OAuthError } from '../apps.errors.ts'
import { type AppClient, CLI_CLIENT, type Clients } from '../clients/clients.service.ts'
import { SCOPES } from '../scopes.ts'
import { insertCode } from '../tokens/codes.store.ts'
import type { Grants, IssuedTokens } from '../tokens/grants.service.ts'
import { hashSecret, newCode } from '../tokens/secrets.ts'
import {
  type DeviceRecord,
  decideDevice,
  findDevice,
  findDeviceByUserCode,
  insertDevice,
  recordPoll,
} from './devices.store.ts'
import { newUserCode, plainUserCode } from './user-code.ts'

export const DEVICE_SECONDS = 600
/** Seconds that a program leaves between two questions; more after each that comes too early. */
export const POLL_SECONDS = 5

const perMinute = (count: number, burst: number) => ({ perSecond: count / 60, burst, isExact: true })

export interface DevicesOptions extends Pick<KernelParts, 'clock' | 'db' | 'writes'> {
  clients: Clients
  grants: Grants
  createLimiter: CreateLimiter
  failedAttempts: Pick<FailedAttempts, 'count'>
}

export type Devices = ReturnType<typeof createDevices>

/** Logins of programs that have no browser (RFC 8628): a person types a code on a page of Docent. */
export function createDevices(options: DevicesOptions) {
  const { db, writes, clock, clients, grants, createLimiter, failedAttempts } = options
  const beginnings = createLimiter('oauth devices', perMinute(10, 30), 'This address')
  const attempts = createLimiter('oauth user codes', perMinute(5, 20), 'This account')

  /** @throws OAuthError for a client that has to use a browser of its own */
  async function begin(clientId: string, address: string) {
    if (clientId !== CLI_CLIENT)
      throw new OAuthError('unauthorized_client', 'Only the command line of Docent may log in with a code')
    await beginnings.take(networkOf(address))
    const deviceCode = newCode()
    const userCode = newUserCode()
    const at = clock()
    await writes.commit((tx) =>
      insertDevice(tx, {
        hash: hashSecret(deviceCode),
        userCodeHash: hashSecret(plainUserCode(userCode)),
        clientId,
        state: 'pending',
        createdAt: at.toISOString(),
        expiresAt: new Date(at.getTime() + DEVICE_SECONDS * 1000).toISOString(),
        polledAt: null,
        interval: POLL_SECONDS,
      }),
    )
    return { deviceCode, userCode }
  }

  /** Answers a program that asks whether its person has decided. @throws OAuthError until they have */
  async function poll(given: { deviceCode: string; clientId: string }, request: { id: string; ip: string }) {
    const hash = hashSecret(given.deviceCode)
    const device = await findDevice(db, hash)
    if (!device || device.clientId !== given.clientId)
      throw new OAuthError('invalid_grant', 'This device_code is not known')
    const now = clock()
    if (device.expiresAt <= now.toISOString())
      throw new OAuthError('expired_token', 'Nobody entered the code in time: begin anew')
    if (device.state === 'refused') throw new OAuthError('access_denied', 'The person refused')
    if (device.state === 'approved') return trade(hash, request)
    const isEarly = device.polledAt !== null && now.getTime() - Date.parse(device.polledAt) < device.interval * 1000
    const interval = device.interval + (isEarly ? POLL_SECONDS : 0)
    await writes.commit((tx) => recordPoll(tx, hash, { at: now.toISOString(), interval }))
    throw isEarly
      ? new OAuthError('slow_down', `Wait ${interval} s between two requests`)
      : new OAuthError('authorization_pending', 'The person has yet to decide')
  }

  const trade = (hash: string, request: { id: string; ip: string }): Promise<IssuedTokens> =>
    grants.trade(hash, () => {}, request)

  /** Finds what a person's code stands for. @throws OAuthError, RateLimitedError */
  async function getPending(caller: Caller, userCode: string): Promise<DeviceRecord> {
    await attempts.take(caller.accountId!)
    const device = await findDeviceByUserCode(db, hashSecret(plainUserCode(userCode)))
    if (device && device.state === 'pending' && device.expiresAt > isoNow(clock)) return device
    if (caller.request) await failedAttempts.count(caller.request.ip)
    throw new OAuthError('invalid_grant', 'This code is not known, was used or has expired: look at the program again')
  }

  return {
    begin,
    poll,

    /** Client that waits for this code. @throws OAuthError, RateLimitedError */
    async find(caller: Caller, userCode: string): Promise<AppClient> {
      return clients.get((await getPending(caller, userCode)).clientId)
    },

    /** Stores what the person decided; the program hears of it when it next asks. @throws as `find` */
    async decide(caller: Caller, userCode: string, decision: 'allow' | 'refuse'): Promise<void> {
      const device = await getPending(caller, userCode)
      const client = await clients.get(device.clientId)
      await commitChecked(writes, async (tx) => {
        await takeAdvisoryLock(tx, 'oauth code', device.hash)
        if (!(await decideDevice(tx, device.hash, decision === 'allow' ? 'approved' : 'refused')))
          throw new OAuthError('invalid_grant', 'This code was used already')
        if (decision === 'refuse') return
        await insertCode(tx, caller.organizationId, codeOf(device, client, caller, isoNow(clock)))
      })
    },
  }
}

/** Agreement to a device, which the program trades with the code that it polls with. */
const codeOf = (device: DeviceRecord, client: AppClient, caller: Caller, createdAt: string) => ({
  hash: device.hash,
  workspaceId: caller.workspaceId,
  memberId: caller.memberId!,
  approvedBy: caller.keyId,
  clientId: client.id,
  clientName: client.name,
  redirectUri: null,
  codeChallenge: null,
  audience: client.audience,
  scope: SCOPES[client.audience].join(' '),
  keyScopes: null,
  createdAt,
  expiresAt: device.expiresAt,
})
