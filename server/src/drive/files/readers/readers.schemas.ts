import { z } from 'zod'
import { isStorable } from '../../../platform/http/bodies/json-body.ts'

const MOST_NAMED = 1_000

const names = (name: z.ZodType<string>, noun: string) =>
  z.array(name).max(MOST_NAMED, `must hold at most ${MOST_NAMED} ${noun}`).default([])

const Email = z
  .string()
  .trim()
  .max(254, { message: 'must have at most 254 characters', abort: true })
  .regex(z.regexes.email, 'must be a valid e-mail')
const Domain = z
  .string()
  .trim()
  .regex(/^(?=.{1,253}$)[^\s@:/?#.]+(\.[^\s@:/?#.]+)+$/, 'must be a domain, such as example.com')
const GroupName = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(200, 'must have at most 200 characters')
  .refine(isStorable, 'holds a character that cannot be stored')

export const FileReaders = z
  .strictObject({
    emails: names(Email, 'e-mails').meta({
      description: 'Members and virtual users by their e-mail, those too whom nobody has yet',
    }),
    groups: names(GroupName, 'groups').meta({ description: 'Members of groups, by the names of the groups' }),
    domains: names(Domain, 'domains').meta({ description: 'Everybody with an e-mail at one of these domains' }),
  })
  .meta({
    id: 'FileReaders',
    description:
      'Readers of a file, of those who may read its folder; owners and admins always may. Empty lists: nobody else',
  })

/** Lists of sources may be longer, and hold what nobody could enter here. */
const ListedReaders = z
  .object({ emails: z.array(z.string()), groups: z.array(z.string()), domains: z.array(z.string()) })
  .meta({ id: 'ListedReaders', description: 'E-mails, names of groups and domains that a list of readers holds' })

const ShownReaders = z
  .object({
    is_restricted: z.boolean().meta({ description: 'false: whoever may read its folder may read it' }),
    readers: ListedReaders.nullable().meta({
      description: 'Null where all may, and for those who do not manage the folder',
    }),
    from: z.enum(['people', 'push', 'source']).nullable().meta({
      description: 'Origin of the list: people here, the system that pushed the file, or the source of its folder',
    }),
    can_change: z.boolean(),
  })
  .meta({ id: 'ShownReaders' })
export const FileReadersReply = z.object({ data: ShownReaders })
export type ShownReaders = z.infer<typeof ShownReaders>

export const SetFileReaders = z
  .strictObject({ readers: FileReaders.nullable().meta({ description: 'null: whoever may read its folder' }) })
  .meta({ id: 'SetFileReaders' })
