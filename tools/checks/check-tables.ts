// Fails if a feature's statement names a table of another feature, and says which.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { foreignTables, tableOwners } from './table-rules.ts'

/** Statements that name tables of two features because two statements would cost more, and why. */
const TOGETHER: Record<string, string> = {
  'server/src/access/grants/folder-grants.store.ts': 'who may do what with a folder, with the names of people',
  'server/src/access/grants/grants-of-member.ts': 'grants reach a member through groups',
  'server/src/access/grants/member-folder-rights.ts': 'rights of a member depend on the role',
  'server/src/access/grants/narrowed-members.ts': 'members know when rights were taken from them',
  'server/src/access/readers/member-subjects.ts': 'lists of readers name members by e-mail and group',
  'server/src/access/grants/workspace-people.store.ts': 'the people whom a folder can be given to',
  'server/src/access/grants/grants.store.ts': 'what members and groups are let do, with their names',
  'server/src/access/second-factor/second-factor.store.ts':
    'a key of a member works only with the second factor demanded',
  'server/src/accounts/invitations/invitations.store.ts': 'an invitation shows the names of organization and workspace',
  'server/src/accounts/members/member-keys.store.ts': 'a member acts through a key of its own',
  'server/src/accounts/members/memberships.store.ts': 'the switcher shows the names of workspaces',
  'server/src/accounts/providers/identities.store.ts': 'a sign-in provider leads to a workspace',
  'server/src/audit/audit.store.ts': 'an entry shows the name of its key',
  'server/src/chats/chat/threads.store.ts': 'threads are filtered and sorted by their people',
  'server/src/chats/messages/message-life.batches.store.ts': 'a message and its usage are stored in one statement',
  'server/src/drive/files/readers/reader-lists.retention.ts': 'lists of readers that no file has any more',
  'server/src/drive/shares/shares.store.ts': 'a share shows the name of the organization',
  'server/src/integrations/integrations.store.ts': 'an integration lives as long as its folder',
}

const root = join(import.meta.dirname, '../..')
const source = join(root, 'server/src')
const owners = tableOwners(readFileSync(join(source, 'db.ts'), 'utf8'))
const files = globSync('*/**/*.ts', { cwd: source, exclude: ['**/*.test.ts', '{migrations,admin,platform}/**'] })
const together = new Set(Object.keys(TOGETHER))
for (const file of files) {
  const path = `server/src/${file}`
  const tables = foreignTables(file.split('/')[0]!, readFileSync(join(source, file), 'utf8'), owners)
  if (tables.length === 0 || together.delete(path)) continue
  console.error(`${path} names ${tables.join(', ')}, of another feature: let that one have a function for it`)
  process.exitCode = 1
}
for (const path of together) {
  console.error(`${path} names no table of another feature any more: take it out of tools/checks/check-tables.ts`)
  process.exitCode = 1
}
if (owners.size === 0 || files.length === 0) {
  console.error('No table or no file was found: the check looks in the wrong place')
  process.exitCode = 1
}
