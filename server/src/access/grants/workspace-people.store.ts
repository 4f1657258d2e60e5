import type { Db } from '../../db.ts'
import { pictureUrlOf } from '../picture-url.ts'

export interface PersonOfWorkspace {
  id: string
  name: string
  role: 'owner' | 'admin' | 'member'
  pictureUrl: string | null
}

/** Members of a workspace, by name, and how many there are. */
export async function listPeople(
  db: Db,
  organizationId: string,
  workspaceId: string,
  limit: number,
): Promise<{ people: PersonOfWorkspace[]; total: number }> {
  const members = db
    .selectFrom('member')
    .where('member.organization_id', '=', organizationId)
    .where('member.workspace_id', '=', workspaceId)
  const { total } = await members.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const people = await members
    .innerJoin('account', 'account.id', 'member.account_id')
    .leftJoin('account_picture', 'account_picture.account_id', 'member.account_id')
    .select(['member.id', 'account.name', 'member.role', 'account_picture.sha256'])
    .orderBy('account.name')
    .orderBy('member.id')
    .limit(limit)
    .execute()
  return {
    people: people.map(({ sha256, ...person }) => ({ ...person, pictureUrl: pictureUrlOf(person.id, sha256) })),
    total: Number(total),
  }
}
