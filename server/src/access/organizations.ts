import { operatorOf, recordAudit } from '../audit/record-audit.ts'
import type { Tx } from '../db.ts'
import type { KernelParts } from '../kernel-parts.ts'
import { isoNow } from '../platform/clock.ts'
import { insertKey } from './access.store.ts'
import { PERMISSIONS } from './caller.ts'
import { hashApiKey, newApiKey, prefixOf } from './keys/api-key.ts'
import { claimFirstStart, insertOrganization, insertWorkspace } from './organizations.store.ts'

type MakeOptions = Pick<KernelParts, 'clock' | 'newId' | 'writes'>

interface NewOrganization {
  organizationId: string
  workspaceId: string
  apiKey: string
}

/** Makes an organization with one workspace and its owner's key, which is shown this once. */
export async function createOrganization(options: MakeOptions, name: string): Promise<NewOrganization> {
  const { writes, newId } = options
  const created = { organizationId: newId(), workspaceId: newId(), apiKey: newApiKey() }
  await writes.commit((tx) => storeOrganization(options, tx, name, created))
  return created
}

/** @returns false when this database has had its first organization, or another process is making it. */
export async function createFirstOrganization(options: MakeOptions, name: string, apiKey: string): Promise<boolean> {
  const { writes, newId, clock } = options
  return writes.commit(async (tx) => {
    const isFirst = await claimFirstStart(tx, isoNow(clock))
    if (isFirst) await storeOrganization(options, tx, name, { organizationId: newId(), workspaceId: newId(), apiKey })
    return isFirst
  })
}

/** @throws Error when there is no such organization */
export async function createWorkspace(
  { writes, newId, clock }: MakeOptions,
  organizationId: string,
  name: string,
): Promise<{ workspaceId: string }> {
  const workspaceId = newId()
  const workspace = { id: workspaceId, name, createdAt: isoNow(clock) }
  await writes.commit(async (tx) => {
    await insertWorkspace(tx, organizationId, workspace)
    await recordAudit(tx, operatorOf(organizationId), {
      action: 'workspace.created',
      at: workspace.createdAt,
      target: { type: 'workspace', id: workspaceId, name },
    })
  })
  return { workspaceId }
}

async function storeOrganization(
  { newId, clock }: MakeOptions,
  tx: Tx,
  name: string,
  created: NewOrganization,
): Promise<void> {
  const createdAt = isoNow(clock)
  await insertOrganization(tx, created.organizationId, name, createdAt)
  await insertWorkspace(tx, created.organizationId, { id: created.workspaceId, name: 'Main', createdAt })
  await insertKey(tx, created.organizationId, {
    id: newId(),
    workspaceId: created.workspaceId,
    name: 'Owner',
    prefix: prefixOf(created.apiKey),
    hash: hashApiKey(created.apiKey),
    role: 'owner',
    permissions: [...PERMISSIONS],
    expiresAt: null,
    createdAt,
  })
  await recordAudit(tx, operatorOf(created.organizationId), {
    action: 'organization.created',
    at: createdAt,
    target: { type: 'organization', id: created.organizationId, name },
  })
}
