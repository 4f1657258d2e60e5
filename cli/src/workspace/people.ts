import type { Command } from 'commander'
import { wholeNumber } from '../drive/search.ts'
import { firstAndTotal } from '../first-of.ts'
import { isId, onlyOne } from '../only-one.ts'
import { openSession, type Session } from '../session.ts'
import { inColumns } from '../terminal/table.ts'

/** Adds `docent users` and `docent members`. */
export function addPeople(program: Command): void {
  const users = program
    .command('users')
    .description('virtual users: the people for whom an application asks')
    .helpCommand(false)
  users
    .command('list')
    .description('list them, newest first')
    .option('-n, --limit <number>', 'most users', wholeNumber, 100)
    .action(async ({ limit }: { limit: number }, command: Command) => listUsers(limit, command))
  users
    .command('create')
    .description('make one; the one who has the e-mail already stays as it is')
    .argument('<email>', 'e-mail')
    .option('--name <name>', 'name')
    .action(async (email: string, { name }: { name?: string }, command: Command) => {
      const session = await openSession(command)
      const user = await session.client.virtualUsers.create(await session.workspaceId(), {
        email,
        ...(name && { name }),
      })
      session.print(user, () => user.id)
    })
  users
    .command('delete')
    .description('remove them; their chats stay')
    .argument('<users...>', 'ids or e-mails')
    .action(async (names: string[], _options: object, command: Command) => {
      const session = await openSession(command)
      const ids = await Promise.all(names.map((name) => findUser(session, name)))
      for (const id of ids) await session.client.virtualUsers.delete(await session.workspaceId(), id)
      session.print({ deleted: ids }, () => names)
    })
  const members = program.command('members').description('people who sign in to the workspace').helpCommand(false)
  members
    .command('list')
    .description('list them')
    .option('-n, --limit <number>', 'most members', wholeNumber, 100)
    .action(async ({ limit }: { limit: number }, command: Command) => listMembers(limit, command))
}

/** Id of a virtual user. @throws CommandError if nobody has the e-mail */
async function findUser({ client, workspaceId }: Session, idOrEmail: string): Promise<string> {
  if (isId(idOrEmail)) return idOrEmail
  const { virtual_users: users } = await client.virtualUsers.list(await workspaceId(), { email: idOrEmail })
  return onlyOne(users, 'virtual user', idOrEmail).id
}

async function listUsers(limit: number, command: Command): Promise<void> {
  const session = await openSession(command)
  const pages = session.client.virtualUsers.list(await session.workspaceId(), { page_size: Math.min(limit, 100) })
  const { items: users, total } = await firstAndTotal(pages, limit, session)
  session.print({ users, total }, () =>
    inColumns(users.map(({ id, created_at, email, name }) => [id, created_at.slice(0, 10), email, name])),
  )
}

async function listMembers(limit: number, command: Command): Promise<void> {
  const session = await openSession(command)
  const pages = session.client.members.list({ page_size: Math.min(limit, 100) })
  const { items: members, total } = await firstAndTotal(pages, limit, session)
  session.print({ members, total }, () =>
    inColumns(members.map(({ id, role, email, name }) => [id, role, email, name])),
  )
}
