import { recordAudit } from '../../audit/record-audit.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { takeAdvisoryLock } from '../../platform/database/statements/advisory-locks.ts'
import { createLruCache } from '../../platform/lru-cache.ts'
import { TRUST_MS } from '../access.service.ts'
import type { Caller } from '../caller.ts'
import { isListedAnywhere, listOrigins, replaceOrigins } from './browser-origins.store.ts'

/** Different workspaces and origins that are cached. */
const LARGEST_CACHE = 10_000

export type BrowserOriginOptions = Pick<KernelParts, 'clock' | 'db' | 'pubsub' | 'writes'>

type Workspace = Pick<Caller, 'organizationId' | 'workspaceId'>

export type BrowserOrigins = ReturnType<typeof createBrowserOrigins>

/** Origins whose pages may call the API with the token of an end user, by workspace. */
export function createBrowserOrigins({ db, writes, clock, pubsub }: BrowserOriginOptions) {
  const ofWorkspaces = createLruCache<ReadonlySet<string>>(LARGEST_CACHE, { ttl: TRUST_MS })
  const anywhere = createLruCache<boolean>(LARGEST_CACHE, { ttl: TRUST_MS })

  pubsub.subscribe('origins.changed', () => {
    ofWorkspaces.clear()
    anywhere.clear()
  })

  const list = ({ organizationId, workspaceId }: Workspace) => listOrigins(db, organizationId, workspaceId)

  async function replace(caller: Caller, origins: string[]): Promise<string[]> {
    const { organizationId, workspaceId } = caller
    const at = isoNow(clock)
    await writes.commit(async (tx) => {
      await takeAdvisoryLock(tx, 'browser origins', workspaceId)
      await replaceOrigins(tx, organizationId, workspaceId, [...new Set(origins)], at)
      const target = { type: 'workspace', id: workspaceId } as const
      await recordAudit(tx, caller, { action: 'workspace.origins_changed', at, target, details: { origins } })
    })
    pubsub.publish('origins.changed', workspaceId)
    return list(caller)
  }

  /** Tells whether the list has the origin; the answer may be up to three seconds old. */
  async function isListed(workspace: Workspace, origin: string): Promise<boolean> {
    const known = ofWorkspaces.get(workspace.workspaceId)
    if (known) return known.has(origin)
    const origins = new Set(await list(workspace))
    ofWorkspaces.set(workspace.workspaceId, origins)
    return origins.has(origin)
  }

  /** Whether any workspace lists it, as it was in the last three seconds. */
  async function isKnown(origin: string): Promise<boolean> {
    const known = anywhere.get(origin) ?? (await isListedAnywhere(db, origin))
    anywhere.set(origin, known, { noUpdateTTL: true })
    return known
  }

  return { list, replace, isListed, isKnown }
}
