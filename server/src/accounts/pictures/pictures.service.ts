import type { Caller } from '../../access/access.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { readPicture } from '../../platform/pictures.ts'
import { PictureNotFoundError } from '../accounts.errors.ts'
import type { MemberService } from '../members/members.service.ts'
import type { AccountService } from '../profile/account.service.ts'
import { deletePicture, findPicture, type PictureRecord, putPicture } from './pictures.store.ts'

export interface PictureServiceOptions extends Pick<KernelParts, 'clock' | 'db' | 'writes'> {
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
      const picture = { accountId: account.id, ...readPicture(base64, 'content'), updatedAt: isoNow(clock) }
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
