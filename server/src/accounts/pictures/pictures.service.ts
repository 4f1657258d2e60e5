import { createHash } from 'node:crypto'
import type { Caller } from '../../access/access.ts'
import type { Db, Writes } from '../../db.ts'
import { type Clock, isoNow } from '../../platform/clock.ts'
import { invalidField } from '../../platform/errors.ts'
import { PictureNotFoundError } from '../accounts.errors.ts'
import type { MemberService } from '../members/members.service.ts'
import type { AccountService } from '../profile/account.service.ts'
import { deletePicture, findPicture, type PictureRecord, putPicture } from './pictures.store.ts'

/** Bytes of a picture: 256 × 256 pixels need far less. */
export const LARGEST_PICTURE = 200_000

/** Formats that every browser shows and that run nothing, by how they begin. */
const FORMATS: [mediaType: string, isIt: (content: Buffer) => boolean][] = [
  ['image/png', (content) => content.subarray(0, 8).toString('latin1') === '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', (content) => content[0] === 0xff && content[1] === 0xd8 && content[2] === 0xff],
  [
    'image/webp',
    (content) => content.toString('latin1', 0, 4) === 'RIFF' && content.toString('latin1', 8, 12) === 'WEBP',
  ],
]

export interface PictureServiceOptions {
  db: Db
  writes: Writes
  clock: Clock
  profile: Pick<AccountService, 'requireAccount'>
  members: Pick<MemberService, 'get'>
}

export type PictureService = ReturnType<typeof createPictureService>

/** Pictures of people: each sets their own, and those of their workspaces see it. */
export function createPictureService({ db, writes, clock, profile, members }: PictureServiceOptions) {
  return {
    /** @throws ForbiddenError for a key, ValidationError for what is no picture, or too large */
    async set(caller: Caller, base64: string): Promise<void> {
      const account = await profile.requireAccount(caller)
      const content = Buffer.from(base64, 'base64')
      if (content.length > LARGEST_PICTURE)
        throw invalidField('content', `has ${content.length} bytes, and may have ${LARGEST_PICTURE}: make it smaller`)
      const mediaType = FORMATS.find(([, isIt]) => isIt(content))?.[0]
      if (!mediaType) throw invalidField('content', 'must be a PNG, JPEG or WebP picture in Base64')
      const sha256 = createHash('sha256').update(content).digest('hex')
      const picture = { accountId: account.id, mediaType, content, sha256, updatedAt: isoNow(clock) }
      await writes.commit((tx) => putPicture(tx, picture))
    },

    async remove(caller: Caller): Promise<void> {
      const account = await profile.requireAccount(caller)
      await writes.commit((tx) => deletePicture(tx, account.id))
    },

    /** Picture of somebody of the caller's workspace. @throws MemberNotFoundError, PictureNotFoundError */
    async ofMember(caller: Caller, memberId: string): Promise<PictureRecord> {
      const { accountId } = await members.get(caller, memberId)
      const picture = await findPicture(db, accountId)
      if (!picture) throw new PictureNotFoundError()
      return picture
    },
  }
}
