import type { ParseArgsConfig } from 'node:util'
import { CreateApiKey, PERMISSIONS, type Permission, type Role } from '../access/access.ts'
import { operatorOf } from '../audit/record-audit.ts'
import type { Config } from '../config.ts'
import { acrossOrganizations } from '../platform/database/statements/across-organizations.ts'
import { adminCommand } from '../platform/host/commands.ts'
import { ArgumentsError } from './arguments.ts'
import { backUp } from './backup.ts'
import { type AdminContext, withAdmin } from './context.ts'
import { examine } from './doctor/doctor.ts'
import { moveToPostgres } from './move-to-postgres.ts'
import { describePlan, planUpgrade } from './plan/plan.ts'
import { recordForAll, recordForOne } from './record.ts'
import { restore } from './restore.ts'
import { removeSecondFactor, signInLink } from './sign-in-link.ts'

export interface AdminCommand {
  usage: string
  about: string
  options?: ParseArgsConfig['options']
  /** Whether there need be no installation yet. */
  beginsEmpty?: true
  /** @returns what is printed: text as it is, anything else as one line of JSON */
  run(config: Config, positionals: string[], values: Record<string, unknown>): Promise<unknown>
}

const KEY_FIELDS: Record<string, string> = {
  name: 'NAME has to be a name, not too long',
  role: '--role is owner, admin or member',
  permissions: `--permissions are among ${PERMISSIONS.join(', ')}`,
  expires_at: '--expires-at is a time, for instance 2027-01-31T00:00:00Z',
}

/** Sentence on how a refused field of a new key is right. */
const rightKeyField = ({ path, message }: { path: PropertyKey[]; message: string }) =>
  KEY_FIELDS[String(path[0])] ?? message

export const adminCommands: Record<string, AdminCommand> = {
  'create-organization': {
    usage: 'NAME',
    about: "Makes an organization with a workspace and its owner's key: {organization_id, workspace_id, api_key}",
    beginsEmpty: true,
    run: (config, [name]) =>
      withAdmin(config, async ({ access }) => {
        const made = await access.createOrganization(required(name, 'NAME'))
        return { organization_id: made.organizationId, workspace_id: made.workspaceId, api_key: made.apiKey }
      }),
  },
  'create-workspace': {
    usage: 'ORGANIZATION_ID NAME',
    about: 'Makes a workspace: {workspace_id}. Keys are made with create-key',
    run: (config, [organizationId, name]) =>
      withAdmin(config, async ({ access, db }) => {
        const id = required(organizationId, 'ORGANIZATION_ID')
        const known = await db.selectFrom('organization').select('id').where('id', '=', id).executeTakeFirst()
        if (!known) throw new Error(`There is no organization ${id}`)
        return { workspace_id: (await access.createWorkspace(id, required(name, 'NAME'))).workspaceId }
      }),
  },
  'create-key': {
    usage: 'WORKSPACE_ID NAME [--role owner|admin|member] [--permissions A,B] [--expires-at TIME]',
    about: `Makes an API key: {key_id, api_key}. A member's permissions are among ${PERMISSIONS.join(', ')}`,
    options: { role: { type: 'string' }, permissions: { type: 'string' }, 'expires-at': { type: 'string' } },
    run: (config, [workspaceId, name], values) =>
      withAdmin(config, async (context) => {
        const workspace = await findWorkspace(context, required(workspaceId, 'WORKSPACE_ID'))
        const checked = CreateApiKey.safeParse({
          name: required(name, 'NAME'),
          role: (values.role as Role | undefined) ?? 'member',
          permissions: ((values.permissions as string | undefined)?.split(',').filter(Boolean) ?? []) as Permission[],
          expires_at: (values['expires-at'] as string | undefined) ?? null,
        })
        if (!checked.success) throw new ArgumentsError(checked.error.issues.map(rightKeyField).join('\n'))
        const { record, key } = await context.keys.make(workspace, checked.data)
        return { key_id: record.id, api_key: key }
      }),
  },
  'revoke-key': {
    usage: 'KEY_ID',
    about: 'Revokes an API key; a running server stops taking it within 5 seconds: {revoked: true}',
    run: (config, [keyId]) =>
      withAdmin(config, async ({ db, keys }) => {
        const id = required(keyId, 'KEY_ID')
        const row = await acrossOrganizations(db)
          .selectFrom('api_key')
          .select(['organization_id', 'workspace_id'])
          .where('id', '=', id)
          .executeTakeFirst()
        if (!row) throw new Error(`There is no API key ${id}`)
        await keys.revoke(operatorOf(row.organization_id, row.workspace_id), id)
        return { revoked: true }
      }),
  },
  'sign-in-link': {
    usage: '[WORKSPACE_ID] [--email EMAIL]',
    about:
      'Makes a link that works once, for an hour: {url, expires_at}. Whoever opens it becomes an owner of the workspace, which may be left out if there is one only; with --email, sets another password for that account',
    options: { email: { type: 'string' } },
    run: (config, [workspaceId], values) =>
      withAdmin(config, (context) => signInLink(context, { workspaceId, email: values.email as string | undefined })),
  },
  'remove-second-factor': {
    usage: 'EMAIL',
    about: 'Turns the second factor of an account off, whose person has lost the app and the recovery codes: {email}',
    run: (config, [email]) => withAdmin(config, (context) => removeSecondFactor(context, email)),
  },
  backup: {
    usage: 'FOLDER',
    about:
      'Copies everything but the search index to a new folder, while servers run: {folder, files, bytes, rows, blobs}',
    run: (config, [folder]) => backUp(config, required(folder, 'FOLDER')),
  },
  restore: {
    usage: 'FOLDER',
    about:
      'Fills an empty installation from a backup of either kind; files are indexed again at the next start: {rows, blobs, reindexed}',
    beginsEmpty: true,
    run: (config, [folder]) => restore(config, required(folder, 'FOLDER'), { report: console.error }),
  },
  'move-to-postgres': {
    usage: '[--data-dir FOLDER]',
    about:
      'Copies DATA_DIR, whose server is stopped, to DATABASE_URL, and its files and search index to S3_BUCKET or to a new FOLDER; run it again if it was cut off: {rows, tasks, blobs, passages}',
    options: { 'data-dir': { type: 'string' } },
    beginsEmpty: true,
    run: (config, _, values) =>
      moveToPostgres(config, { toDataDir: values['data-dir'] as string | undefined, report: console.error }),
  },
  'prepare-bucket': {
    usage: '',
    about: 'Makes S3_BUCKET unless it is there, and tries whether several processes can share it: {made}',
    beginsEmpty: true,
    async run({ s3 }) {
      if (!s3) throw new Error('Set S3_BUCKET, and S3_ENDPOINT if it is not at AWS')
      // Imported only then: AWS's client takes its time to load.
      const { prepareBucket } = await import('../platform/blobs/s3-prepare.ts')
      return { made: await prepareBucket(s3) }
    },
  },
  doctor: {
    usage: '[--fix]',
    about:
      'Reads all that is kept, counts what is damaged, lost, left over or open to other users, and says what to do; mends with --fix what can be mended. Ends with 1 unless all is well',
    options: { fix: { type: 'boolean' } },
    run: (config, _, { fix }) =>
      withAdmin(config, async (context) => {
        const found = await examine(context, { fix: fix === true })
        if (fix && !found.healthy) await recordForAll(context, 'data.mended')
        return found
      }),
  },
  plan: {
    usage: '[--json]',
    about:
      'Tells what a start of this version would do to the database, and changes nothing: pending migrations with what each does, the rows they go through, about how long that takes, and whether servers of the version before may go on meanwhile',
    options: { json: { type: 'boolean' } },
    beginsEmpty: true,
    async run(config, _, { json }) {
      const plan = await planUpgrade(config)
      return json ? plan : describePlan(plan)
    },
  },
  'dead-tasks': {
    usage: 'ORGANIZATION_ID [--retry]',
    about: 'Lists background tasks that failed for good, or gives them all their attempts again',
    options: { retry: { type: 'boolean' } },
    run: (config, [organizationId], { retry }) =>
      withAdmin(config, async ({ writes, clock, queue }) => {
        const id = required(organizationId, 'ORGANIZATION_ID')
        if (retry) {
          const retried = await queue.reviveDead(id)
          if (retried > 0) await recordForOne({ writes, clock }, { id }, 'tasks.retried', { tasks: retried })
          return { retried }
        }
        return { tasks: await queue.listDead(id) }
      }),
  },
}

function required(value: string | undefined, name: string): string {
  if (!value) throw new Error(`${name} is missing; ${adminCommand('help')} lists the commands`)
  return value
}

async function findWorkspace({ db }: AdminContext, workspaceId: string) {
  const row = await acrossOrganizations(db)
    .selectFrom('workspace')
    .select('organization_id')
    .where('id', '=', workspaceId)
    .executeTakeFirst()
  if (!row) throw new Error(`There is no workspace ${workspaceId}`)
  return operatorOf(row.organization_id, workspaceId)
}
