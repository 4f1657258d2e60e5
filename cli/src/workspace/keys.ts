import { type Command, Option } from 'commander'
import { findAgent } from '../agents/find-agent.ts'
import { findFolder, namesIn, toPath } from '../drive/remote-drive.ts'
import { notFound, usageError } from '../failures.ts'
import { firstOf } from '../first-of.ts'
import { onlyOne } from '../only-one.ts'
import { openSession, type Session } from '../session.ts'
import { inColumns } from '../terminal/table.ts'

const ROLES = ['member', 'admin', 'owner'] as const
const PERMISSIONS = ['create_knowledgebase', 'manage_agents', 'manage_keys'] as const

interface CreateOptions {
  role: (typeof ROLES)[number]
  permission?: (typeof PERMISSIONS)[number][]
  agent?: string[]
  folder?: string[]
  expires?: string
}

/** Adds `docent keys`. */
export function addKeys(program: Command): void {
  const keys = program.command('keys').description('API keys of the workspace').helpCommand(false)
  keys
    .command('list')
    .description('list them, newest first; secrets are not shown')
    .action(async (_options: object, command: Command) => list(command))
  keys
    .command('create')
    .description('make one; its secret is printed this once')
    .argument('<name>', 'name')
    .addOption(new Option('--role <role>', 'what it may do').choices(ROLES).default('member'))
    .addOption(new Option('--permission <permissions...>', 'of a member').choices(PERMISSIONS))
    .option('--agent <agents...>', 'only these agents, by id or name')
    .option('--folder <paths...>', 'only these folders, with all below them')
    .option('--expires <time>', 'when it ends, for instance 2027-01-31 or 2027-01-31T12:00:00Z')
    .action(async (name: string, options: CreateOptions, command: Command) => create(name, options, command))
  keys
    .command('revoke')
    .description('end keys, for good')
    .argument('<keys...>', 'ids or names')
    .action(async (keys: string[], _options: object, command: Command) => revoke(keys, command))
}

const all = async ({ client, workspaceId }: Session) =>
  firstOf(client.apiKeys.list(await workspaceId(), { page_size: 100 }))

async function list(command: Command): Promise<void> {
  const session = await openSession(command)
  const keys = await all(session)
  session.print({ keys }, () =>
    inColumns(
      keys.map(({ id, prefix, role, last_used_at, name }) => [
        id,
        `${prefix}…`,
        role,
        last_used_at?.slice(0, 10) ?? 'never used',
        name,
      ]),
    ),
  )
}

async function create(name: string, options: CreateOptions, command: Command): Promise<void> {
  const expires = options.expires === undefined ? undefined : new Date(options.expires)
  if (expires && Number.isNaN(expires.getTime()))
    throw usageError(`"${options.expires}" is no time: write it like 2026-12-31 or 2026-12-31T18:00:00Z`)
  const session = await openSession(command)
  const agents = await Promise.all((options.agent ?? []).map((one) => findAgent(session.client, one)))
  const folders = await Promise.all((options.folder ?? []).map((path) => folderAt(session, path)))
  const scopes = {
    ...(options.agent && { agent_ids: agents.map(({ id }) => id) }),
    ...(options.folder && { knowledge_base_ids: folders }),
  }
  const key = await session.client.apiKeys.create(await session.workspaceId(), {
    name,
    role: options.role,
    permissions: options.permission ?? [],
    ...(Object.keys(scopes).length > 0 && { scopes }),
    ...(expires && { expires_at: expires.toISOString() }),
  })
  session.tell(`Key ${key.id}: this is the only time that it is shown`)
  session.print(key, () => key.key)
}

async function folderAt({ client }: Session, path: string): Promise<string> {
  const names = namesIn(path)
  const folder = names.length > 0 ? await findFolder(client, names) : undefined
  if (!folder) throw notFound(`There is no folder ${toPath(names)}`)
  return folder.id
}

async function revoke(wanted: string[], command: Command): Promise<void> {
  const session = await openSession(command)
  const keys = await all(session)
  // All of them are found before the first one ends.
  const found = wanted.map((text) =>
    onlyOne(
      keys.filter(({ id, name }) => id === text || name === text),
      'key',
      text,
    ),
  )
  for (const { id } of found) await session.client.apiKeys.revoke(await session.workspaceId(), id)
  session.print({ revoked: found.map(({ id }) => id) }, () => found.map(({ name }) => name))
}
