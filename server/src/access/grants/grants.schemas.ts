import { z } from 'zod'
import { invalidField } from '../../platform/errors.ts'

const MOST_GRANTS = 1000

/** Subject of a grant as the API shows and takes it. */
export const GrantKind = z.enum(['member', 'group', 'workspace'])

export const GrantId = z.string().meta({
  description:
    'The member or group; for `workspace`, which stands for all its members and its keys of the role member, its id',
})

/** All grants of a resource from then on. */
export const grantList = <T extends z.ZodType>(grant: T) => z.strictObject({ grants: z.array(grant).max(MOST_GRANTS) })

/** @throws ValidationError if two grants are to the same subject, which could say two things */
export function requireOncePerSubject(grants: readonly { kind: string; id: string }[]): void {
  const known = new Set<string>()
  for (const [index, { kind, id }] of grants.entries()) {
    const key = `${kind} ${id}`
    if (known.has(key)) throw invalidField(`grants.${index}`, 'names a subject that another grant names already')
    known.add(key)
  }
}
