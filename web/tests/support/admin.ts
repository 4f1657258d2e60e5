import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { RunningDocent } from './docent.ts'

const admin = fileURLToPath(new URL('../../../tools/admin.mjs', import.meta.url))

/** Runs a command of the operator. @returns its output */
async function operate({ dataDir }: RunningDocent, ...args: string[]): Promise<Record<string, string>> {
  const env = { ...process.env, DATA_DIR: dataDir }
  const { stdout } = await promisify(execFile)(process.execPath, [admin, ...args], { env })
  return JSON.parse(stdout)
}

/** Creates another organization on the same server. @returns its owner's key */
export const newOrganization = async (name: string, server: RunningDocent): Promise<string> =>
  (await operate(server, 'create-organization', name)).api_key!

/** Creates an owner's key of another workspace of an organization. */
export async function newWorkspace(organizationId: string, name: string, server: RunningDocent): Promise<string> {
  const { workspace_id } = await operate(server, 'create-workspace', organizationId, name)
  return (await operate(server, 'create-key', workspace_id!, name, '--role', 'owner')).api_key!
}
