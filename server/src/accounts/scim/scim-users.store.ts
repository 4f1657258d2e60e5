import type { Role } from '../../access/access.ts'
import type { Db, Tx } from '../../db.ts'
import type { Equal } from './scim-filter.ts'
import type { ScimFields, ScimNames } from './scim-user.ts'

/** Person described by the directory, or a member whom it does not know yet. */
export interface ScimUserRecord {
  id: string
  email: string
  userName: string
  externalId: string | null
  displayName: string | null
  names: ScimNames
  /** Whether they are a member, or invited. */
  isActive: boolean
  memberId: string | null
  role: Role | null
  createdAt: string
  updatedAt: string
}

/** Workspace that a directory manages, and the time at which it asks. */
export interface ScimPlace {
  workspaceId: string
  now: string
}

/** People whom the directory described. */
const selectManaged = (db: Db, organizationId: string, { workspaceId, now }: ScimPlace) =>
  db
    .selectFrom('scim_user')
    .leftJoin('account', 'account.email', 'scim_user.email')
    .leftJoin('member', (join) =>
      join
        .onRef('member.account_id', '=', 'account.id')
        .onRef('member.workspace_id', '=', 'scim_user.workspace_id')
        .on('member.organization_id', '=', organizationId),
    )
    .leftJoin(
      (inner) =>
        inner
          .selectFrom('invitation')
          .select((select) => ['invitation.email as to', select.fn.max('invitation.id').as('id')])
          .where('invitation.organization_id', '=', organizationId)
          .where('invitation.workspace_id', '=', workspaceId)
          .where('invitation.expires_at', '>', now)
          .groupBy('invitation.email')
          .as('open'),
      (join) => join.onRef('open.to', '=', 'scim_user.email'),
    )
    .select((select) => [
      'scim_user.id',
      'scim_user.email',
      'scim_user.user_name',
      'scim_user.user_name_key',
      'scim_user.external_id',
      'scim_user.display_name',
      'scim_user.names',
      select
        .case()
        .when(
          select.and([
            select('scim_user.is_active', '=', 1),
            select.or([select('member.id', 'is not', null), select('open.id', 'is not', null)]),
          ]),
        )
        .then(select.lit<number>(1))
        .else(select.lit<number>(0))
        .end()
        .as('is_active'),
      'member.id as member_id',
      'member.role',
      'scim_user.created_at',
      'scim_user.updated_at',
    ])
    .where('scim_user.organization_id', '=', organizationId)
    .where('scim_user.workspace_id', '=', workspaceId)

/** Members whom it did not describe: their id is that of the member. */
const selectOthers = (db: Db, organizationId: string, { workspaceId }: ScimPlace) =>
  db
    .selectFrom('member')
    .innerJoin('account', 'account.id', 'member.account_id')
    .leftJoin('scim_user', (join) =>
      join
        .onRef('scim_user.workspace_id', '=', 'member.workspace_id')
        .onRef('scim_user.email', '=', 'account.email')
        .on('scim_user.organization_id', '=', organizationId),
    )
    .select((select) => [
      'member.id',
      'account.email',
      'account.email as user_name',
      'account.email as user_name_key',
      'scim_user.external_id',
      'account.name as display_name',
      select.val('{}').as('names'),
      select.lit<number>(1).as('is_active'),
      'member.id as member_id',
      'member.role',
      'member.created_at',
      'member.created_at as updated_at',
    ])
    .where('member.organization_id', '=', organizationId)
    .where('member.workspace_id', '=', workspaceId)
    .where('scim_user.id', 'is', null)

const selectAll = (db: Db, organizationId: string, place: ScimPlace) =>
  db.selectFrom(
    selectManaged(db, organizationId, place)
      .unionAll(selectOthers(db, organizationId, place))
      .as('person'),
  )

type Row = Awaited<ReturnType<ReturnType<ReturnType<typeof selectAll>['selectAll']>['execute']>>[number]

const toRecord = (row: Row): ScimUserRecord => ({
  id: row.id,
  email: row.email,
  userName: row.user_name,
  externalId: row.external_id,
  displayName: row.display_name,
  names: JSON.parse(row.names),
  isActive: Number(row.is_active) === 1,
  memberId: row.member_id,
  role: row.role,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** Attributes by which people are looked for. */
export type Column = 'id' | 'user_name_key' | 'email' | 'external_id' | 'is_active'
export type Condition = [Column, Exclude<Equal['value'], boolean | null>]

/** Lists people in the order of their ids. @returns the people of the page, and how many there are in all */
export async function listScimUsers(
  db: Db,
  organizationId: string,
  place: ScimPlace,
  { conditions, limit, offset }: { conditions: Condition[]; limit: number; offset: number },
): Promise<{ users: ScimUserRecord[]; total: number }> {
  const all = conditions.reduce(
    (query, [column, value]) => query.where(column, '=', value as never),
    selectAll(db, organizationId, place),
  )
  const { total } = await all.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = limit === 0 ? [] : await all.selectAll().orderBy('id').limit(limit).offset(offset).execute()
  return { users: rows.map(toRecord), total: Number(total) }
}

export async function findScimUser(
  db: Db,
  organizationId: string,
  place: ScimPlace,
  id: string,
): Promise<ScimUserRecord | undefined> {
  const row = await selectAll(db, organizationId, place).selectAll().where('id', '=', id).executeTakeFirst()
  return row && toRecord(row)
}

/** People of the workspace with this user name or this e-mail. */
export async function listScimNamesakes(
  db: Db,
  organizationId: string,
  place: ScimPlace,
  { userNameKey, email }: { userNameKey: string; email: string },
): Promise<ScimUserRecord[]> {
  const rows = await selectAll(db, organizationId, place)
    .selectAll()
    .where((where) => where.or([where('user_name_key', '=', userNameKey), where('email', '=', email)]))
    .execute()
  return rows.map(toRecord)
}

/** @param user.isActive whether they may be a member; left out, it stays */
export async function putScimUser(
  tx: Tx,
  organizationId: string,
  workspaceId: string,
  user: Omit<ScimFields, 'active'> & { id: string; userNameKey: string; isActive?: boolean; at: string },
): Promise<void> {
  const fields = {
    email: user.email,
    user_name: user.userName,
    user_name_key: user.userNameKey,
    external_id: user.externalId,
    display_name: user.displayName,
    names: JSON.stringify(user.names),
    updated_at: user.at,
  }
  const isActive = user.isActive === undefined ? undefined : Number(user.isActive)
  await tx
    .insertInto('scim_user')
    .values({
      ...fields,
      id: user.id,
      organization_id: organizationId,
      workspace_id: workspaceId,
      is_active: isActive ?? 1,
      created_at: user.at,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ ...fields, is_active: isActive }))
    .execute()
}

export async function deleteScimUser(tx: Tx, organizationId: string, id: string): Promise<void> {
  await tx.deleteFrom('scim_user').where('organization_id', '=', organizationId).where('id', '=', id).execute()
}

/** Whether the directory of the workspace says that the person with these e-mails may not be a member. */
export async function isEndedByDirectory(
  db: Db,
  organizationId: string,
  workspaceId: string,
  emails: string[],
): Promise<boolean> {
  const row = await db
    .selectFrom('scim_user')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('workspace_id', '=', workspaceId)
    .where('email', 'in', emails)
    .where('is_active', '=', 0)
    .executeTakeFirst()
  return row !== undefined
}
