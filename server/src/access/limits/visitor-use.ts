import type { Tx } from '../../db.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { takeAdvisoryLock } from '../../platform/database/statements/advisory-locks.ts'
import { commitChecked } from '../../platform/database/statements/commit-checked.ts'
import { RateLimitedError } from '../../platform/errors.ts'
import { networkOf } from '../../platform/outbound/network-of.ts'
import { isSpecialAddress } from '../../platform/outbound/outbound-address.ts'
import type { Caller, Visitor } from '../caller.ts'
import { addUse, findUse, type Use, type UseKey } from './visitor-use.store.ts'

/** Limits of one visitor in a day; 0 is any number. */
export interface VisitorLimits extends Use {
  /** How many times as much all visitors of a link may use together; 0 is any number. */
  visitorsPerLink: number
}

/** A visitor of a link, with where they come from. */
type VisitingCaller = Pick<Caller, 'organizationId' | 'keyId' | 'request'> & { visitor: Visitor }

/** Room for a file that is on its way. */
export interface HeldUpload {
  /** The file may have this many bytes. */
  maxBytes: number
  /** Error for a file that has more. */
  tooLarge(): Error
  /** Counts what the file has indeed, in the transaction that stores it. */
  settle(tx: Tx, sizeBytes: number): Promise<void>
  /** Gives the use back: nothing came of it. */
  release(): Promise<void>
}

export type VisitorUse = ReturnType<typeof createVisitorUse>

/** Share of one public address, a tenth of what all visitors of a link may use: nobody can use up all of it alone. */
const ADDRESSES_PER_LINK = 10
/** Most bytes of a multipart body beside its file, when it is asked whether there is room. */
const ENVELOPE_BYTES = 65_536
const MIB = 1024 ** 2
const NOTHING: Use = { files: 0, bytes: 0, chats: 0 }
const inWords = {
  files: (most: number) => `upload ${most} files`,
  bytes: (most: number) => `upload ${most % MIB === 0 ? `${most / MIB} MiB` : `${most} bytes`}`,
  chats: (most: number) => `begin ${most} chats`,
}

interface CountedUse extends UseKey {
  /** Subject of the error message. */
  who: string
  most: Use
}

export interface VisitorUseOptions extends Pick<KernelParts, 'clock' | 'writes'> {
  limits: VisitorLimits
}

/**
 * Uploads and new chats of visitors of links in a day (UTC), counted in the database and so for all processes: for each
 * visitor, for each public address, since anybody can become another visitor, and for the link.
 */
export function createVisitorUse({ writes, clock, limits }: VisitorUseOptions) {
  const timesAsMuch = (times: number): Use => ({
    files: limits.files * times,
    bytes: limits.bytes * times,
    chats: limits.chats * times,
  })

  /** Rows in which a visitor's use counts, always in the same order. */
  function countedUses({ keyId: link_id, visitor, request }: VisitingCaller): CountedUse[] {
    const at = { link_id, day: isoNow(clock).slice(0, 10) }
    const uses = [{ ...at, subject: visitor.id, who: 'A visitor of this link', most: timesAsMuch(1) }]
    const { visitorsPerLink } = limits
    if (visitorsPerLink === 0) return uses
    // A private address may be that of a proxy that is not configured, and so stand for everybody.
    if (request && !isSpecialAddress(request.ip)) {
      const most = timesAsMuch(Math.ceil(visitorsPerLink / ADDRESSES_PER_LINK))
      const subject = `address ${networkOf(request.ip)}`
      uses.push({ ...at, subject, who: 'All visitors of this link from your address together', most })
    }
    uses.push({
      ...at,
      subject: 'all',
      who: 'All visitors of this link together',
      most: timesAsMuch(visitorsPerLink),
    })
    return uses
  }

  /** @throws RateLimitedError where there is no room for it. @returns how much there is of bytes */
  async function requireRoom(tx: Tx, caller: VisitingCaller, uses: CountedUse[], wanted: Use): Promise<number> {
    // From here to the end of the transaction nobody else counts for this link.
    await takeAdvisoryLock(tx, 'visitors', caller.keyId)
    let bytesLeft = Number.POSITIVE_INFINITY
    for (const place of uses) {
      const used = await findUse(tx, caller.organizationId, place)
      for (const what of ['files', 'bytes', 'chats'] as const)
        if (place.most[what] > 0 && wanted[what] > 0 && used[what] + wanted[what] > place.most[what])
          throw usedUp(place, what)
      if (place.most.bytes > 0) bytesLeft = Math.min(bytesLeft, place.most.bytes - used.bytes)
    }
    return bytesLeft
  }

  function usedUp({ who, most }: CountedUse, what: keyof Use): RateLimitedError {
    const now = clock().getTime()
    const midnight = Math.floor(now / 86_400_000 + 1) * 86_400_000
    const again = new Date(midnight).toISOString()
    return new RateLimitedError(
      `${who} may ${inWords[what](most[what])} a day; go on after ${again}`,
      (midnight - now) / 1000,
    )
  }

  async function add(tx: Tx, { organizationId }: VisitingCaller, uses: CountedUse[], use: Use): Promise<void> {
    for (const { link_id, subject, day } of uses) await addUse(tx, organizationId, { link_id, subject, day }, use)
  }

  return {
    /** Counts a chat that somebody begins, in the transaction that stores it, before that. @throws RateLimitedError */
    async countChat(tx: Tx, caller: Caller): Promise<void> {
      if (!isVisiting(caller)) return
      const uses = countedUses(caller)
      const use = { ...NOTHING, chats: 1 }
      await requireRoom(tx, caller, uses, use)
      await add(tx, caller, uses, use)
    },

    /**
     * Keeps room for a file before it comes, so that many that come at once do not share what is left.
     * @param bodyBytes how long the request's body is, if it says so; else all that is left is kept for it
     * @returns undefined for somebody who is no visitor. @throws RateLimitedError
     */
    async holdUpload(caller: Caller, bodyBytes: number | undefined, most: number): Promise<HeldUpload | undefined> {
      if (!isVisiting(caller)) return undefined
      const uses = countedUses(caller)
      const wanted = Math.min(most, bodyBytes ?? most)
      const least = bodyBytes === undefined ? 1 : Math.max(1, wanted - ENVELOPE_BYTES)
      const held = await commitChecked(writes, async (tx) => {
        const left = await requireRoom(tx, caller, uses, { ...NOTHING, files: 1, bytes: least })
        const bytes = Math.min(wanted, left)
        await add(tx, caller, uses, { ...NOTHING, files: 1, bytes })
        return bytes
      })
      const addAlone = async (tx: Tx, use: Use) => {
        await takeAdvisoryLock(tx, 'visitors', caller.keyId)
        await add(tx, caller, uses, use)
      }
      return {
        maxBytes: held,
        tooLarge: () => usedUp(uses[0]!, 'bytes'),
        settle: (tx, sizeBytes) => addAlone(tx, { ...NOTHING, bytes: sizeBytes - held }),
        release: () => writes.commit((tx) => addAlone(tx, { ...NOTHING, files: -1, bytes: -held })),
      }
    },
  }
}

const isVisiting = (caller: Caller): caller is Caller & VisitingCaller => caller.visitor !== undefined
