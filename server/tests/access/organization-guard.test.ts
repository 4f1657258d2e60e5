import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Db } from '../../src/db.ts'
import { createOrganizationGuard } from '../support/database/organization-guard.ts'
import { startTestApp } from '../support/test-app.ts'

const ORGANIZATION = 'o'.repeat(24)

async function start() {
  const { services } = await startTestApp()
  const { plugin, violations } = createOrganizationGuard()
  return { db: services.db.withPlugin(plugin), violations }
}

const unbound: [string, (db: Db) => { execute(): Promise<unknown> }][] = [
  ['a select', (db) => db.selectFrom('chat').selectAll().where('id', '=', 'x')],
  ['a select without conditions', (db) => db.selectFrom('chat').select('id')],
  ['an update', (db) => db.updateTable('message').set({ response: '' }).where('id', '=', 'x')],
  ['a delete', (db) => db.deleteFrom('data_source').where('id', '=', 'x')],
  [
    'an organization in one branch of an or',
    (db) =>
      db
        .selectFrom('chat')
        .select('id')
        .where((where) => where.or([where('organization_id', '=', ORGANIZATION), where('id', '=', 'x')])),
  ],
  [
    'another comparison than equality',
    (db) => db.selectFrom('chat').select('id').where('organization_id', '!=', ORGANIZATION),
  ],
  [
    'a comparison with a column',
    (db) =>
      db
        .selectFrom('chat')
        .innerJoin('agent', 'agent.id', 'chat.agent_id')
        .select('chat.id')
        .whereRef('chat.organization_id', '=', 'agent.organization_id'),
  ],
  [
    'a sub-query',
    (db) =>
      db
        .selectFrom('chat')
        .select('id')
        .where('organization_id', '=', ORGANIZATION)
        .where('agent_id', 'in', (inner) => inner.selectFrom('agent').select('id').where('name', '=', 'x')),
  ],
  [
    'a part of a recursion',
    (db) =>
      db
        .withRecursive('tree(id)', (tree) => tree.selectFrom('folder').select('folder.id').where('id', '=', 'x'))
        .selectFrom('tree')
        .select('tree.id'),
  ],
  ['SQL by hand', (db) => ({ execute: () => sql`select id from chat where id = 'x'`.execute(db) })],
]

test.each(unbound)('%s without an organization is refused', async (_name, build) => {
  const { db, violations } = await start()
  await expect(async () => build(db as Db).execute()).rejects.toThrow('a query without organization_id')
  expect(violations).toHaveLength(1)
})

const bound: typeof unbound = [
  ['a select', (db) => db.selectFrom('chat').select('id').where('organization_id', '=', ORGANIZATION)],
  [
    'a join',
    (db) =>
      db
        .selectFrom('chat')
        .innerJoin('agent', 'agent.id', 'chat.agent_id')
        .select('chat.id')
        .where('agent.organization_id', '=', ORGANIZATION),
  ],
  ['a table without organizations', (db) => db.selectFrom('organization').select('id')],
  [
    'the key by its hash',
    (db) =>
      db
        .selectFrom('api_key')
        .select('id')
        .where((where) => where.or([where('hash', '=', 'x'), where('earlier_hash', '=', 'x')])),
  ],
]

test.each(bound)('%s that is bound to one, or may be without, runs', async (_name, build) => {
  const { db, violations } = await start()
  await build(db as Db).execute()
  expect(violations).toEqual([])
})

/** Functions of stores that look across organizations. */
const WITHOUT_ORGANIZATION = [
  'access/access.store.ts findKeyByHash',
  'access/idempotency/idempotent-requests.store.ts listOld',
  'access/limits/visitor-use.store.ts listOldUse',
  'access/organizations.store.ts claimFirstStart',
  'access/organizations.store.ts hasOrganizations',
  'access/organizations.store.ts listOrganizationNames',
  'access/origins/browser-origins.store.ts isListedAnywhere',
  'access/sessions/sessions.store.ts findSessionByHash',
  'access/sessions/sessions.store.ts listSessionsOfAccount',
  'accounts/invitations/invitations.store.ts findInvitationByHash',
  'accounts/members/memberships.store.ts listMemberships',
  'accounts/own-providers/own-providers.store.ts findOwnProvider',
  'accounts/own-providers/own-providers.store.ts listAllOwnProviders',
  'accounts/passkeys/passkeys.store.ts listPasskeys',
  'accounts/passkeys/passkeys.store.ts findPasskeyByCredential',
  'accounts/passkeys/passkeys.store.ts insertPasskey',
  'accounts/passkeys/passkeys.store.ts updatePasskey',
  'accounts/passkeys/passkeys.store.ts deletePasskey',
  'accounts/passkeys/passkeys.store.ts deletePasskeysOf',
  'accounts/passkeys/passkeys.store.ts isChallengeUsed',
  'accounts/passkeys/passkeys.store.ts keepUsedChallenge',
  'accounts/password-links/password-links.store.ts findPasswordLink',
  'accounts/password-links/password-links.store.ts insertPasswordLink',
  'accounts/password-links/password-links.store.ts deletePasswordLink',
  'accounts/password-links/password-links.store.ts deletePasswordLinksOf',
  'accounts/pictures/pictures.store.ts findPicture',
  'accounts/pictures/pictures.store.ts putPicture',
  'accounts/pictures/pictures.store.ts deletePicture',
  'accounts/profile/account.store.ts findAccount',
  'accounts/profile/account.store.ts findAccountByEmail',
  'accounts/profile/account.store.ts insertAccount',
  'accounts/profile/account.store.ts insertAccountWithoutPassword',
  'accounts/profile/account.store.ts updateAccount',
  'accounts/profile/account.store.ts deleteAccount',
  'accounts/providers/identities.store.ts findIdentity',
  'accounts/providers/identities.store.ts listIdentities',
  'accounts/providers/identities.store.ts insertIdentity',
  'accounts/providers/identities.store.ts touchIdentity',
  'accounts/providers/identities.store.ts deleteIdentity',
  'accounts/providers/identities.store.ts deleteIdentitiesOf',
  'accounts/providers/identities.store.ts findWorkspaceToJoin',
  'accounts/two-factor/two-factor.store.ts findTwoFactor',
  'accounts/two-factor/two-factor.store.ts insertTwoFactor',
  'accounts/two-factor/two-factor.store.ts takeStep',
  'accounts/two-factor/two-factor.store.ts confirmTwoFactor',
  'accounts/two-factor/two-factor.store.ts deleteTwoFactorOf',
  'accounts/two-factor/two-factor.store.ts setRecoveryCodes',
  'accounts/two-factor/two-factor.store.ts takeRecoveryCode',
  'accounts/two-factor/two-factor.store.ts countRecoveryCodes',
  'apps/clients/clients.store.ts insertClient',
  'apps/clients/clients.store.ts findClient',
  'apps/clients/clients.store.ts recordClientUse',
  'apps/clients/clients.store.ts deleteOldClients',
  'apps/devices/devices.store.ts insertDevice',
  'apps/devices/devices.store.ts findDevice',
  'apps/devices/devices.store.ts findDeviceByUserCode',
  'apps/devices/devices.store.ts decideDevice',
  'apps/devices/devices.store.ts recordPoll',
  'apps/devices/devices.store.ts deleteOldDevices',
  'apps/tokens/codes.store.ts findCode',
  'apps/tokens/tokens.store.ts findToken',
  'audit/audit.store.ts listOldAuditEntries',
  'chats/runs/directory/holders.store.ts listChatsInProgress',
  'chats/runs/directory/holders.store.ts listLeftBehind',
  'chats/search/message-index.store.ts listUnindexed',
  'drive/events/old-events.store.ts removeOldEvents',
  'drive/files/versions/versions.store.ts listOldVersions',
  'drive/uploads/uploads.store.ts listExpiredUploads',
  'evaluation/nightly/nightly.store.ts listDue',
  'evaluation/nightly/nightly.store.ts takeNight',
  'links/links.store.ts findLinkByToken',
  'links/links.store.ts findLinkById',
  'queue/queue.store.ts claimTasks',
  'queue/queue.store.ts claimTasksBeside',
  'queue/queue.store.ts nextDue',
  'queue/queue.store.ts countTasks',
  'queue/queue.store.ts releaseAllTasks',
  'queue/queue.store.ts listLivePayloads',
  'queue/troubles/troubles.store.ts findTrouble',
  'queue/troubles/troubles.store.ts putTrouble',
  'queue/troubles/troubles.store.ts deleteTrouble',
  'queue/troubles/troubles.store.ts deleteOldTroubles',
  'webhooks/webhooks.store.ts listOldDeliveries',
  'webhooks/webhooks.store.ts countDeliveries',
]

/** A `Fence`, an `ExportOf`, an `AgentUser`, `OwnChats` and what was granted have it as a field that must be there. */
test('every function of a store takes the organization right after the database', () => {
  const source = fileURLToPath(new URL('../../src/', import.meta.url))
  const stores = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.store.ts'))
  expect(stores.length).toBeGreaterThan(5)
  const without = stores.sort().flatMap((path) => {
    const text = readFileSync(source + path, 'utf8')
    const functions = text.matchAll(
      /export (?:async function|function|const) (\w+)(?: = (?:async )?)?(?:<[^>]*>)?\(\s*(?:db|tx): \w+,?\s*(\w+(?:: Fence|: ExportOf|: AgentUser|: OwnChats)?|\{ organizationId,[^}]*\}: (?:Granted|Pick))?/g,
    )
    const takesIt = (next: string | undefined) =>
      next === 'organizationId' ||
      next === 'fence: Fence' ||
      next === 'of: ExportOf' ||
      next === 'user: AgentUser' ||
      next === 'own: OwnChats' ||
      next?.startsWith('{')
    return [...functions].filter(([, , next]) => !takesIt(next)).map(([, name]) => `${path} ${name}`)
  })
  expect(without).toEqual(WITHOUT_ORGANIZATION)
})
