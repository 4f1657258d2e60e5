import type { LocalFile, RemoteFile } from './sides.ts'
import type { SyncedFile } from './sync-state.ts'

export type Preference = 'local' | 'remote' | undefined

/** State of a side against what both last agreed on. */
export type SideState = 'same' | 'changed' | 'gone'

export type Step =
  | 'nothing'
  | 'upload'
  | 'download'
  | 'delete local'
  | 'delete remote'
  /** Remembers what both have already. */
  | 'adopt'
  | 'forget'
  | { conflict: string }
  | { skip: string }

export interface Trio {
  local: LocalFile | undefined
  remote: RemoteFile | undefined
  known: SyncedFile | undefined
}

interface Situation {
  local: SideState
  remote: SideState
  /** Whether both hold the same bytes; asked only where both have changed. */
  isEqual(): Promise<boolean>
}

/** Decides what happens to a file. Nothing that changed on both sides is overwritten without a preference. */
export async function decide(
  { local, remote, isEqual }: Situation,
  { prefer, isDeleting }: { prefer: Preference; isDeleting: boolean },
): Promise<Step> {
  if (local === 'same' && remote === 'same') return 'nothing'
  if (local === 'gone' && remote === 'gone') return 'forget'
  if (local === 'changed' && remote === 'same') return 'upload'
  if (local === 'same' && remote === 'changed') return 'download'
  if (local === 'gone' && remote === 'same') return isDeleting ? 'delete remote' : { skip: 'was deleted here' }
  if (local === 'same' && remote === 'gone') return isDeleting ? 'delete local' : { skip: 'was deleted in the drive' }
  if (local === 'changed' && remote === 'changed') {
    if (await isEqual()) return 'adopt'
    if (prefer) return prefer === 'local' ? 'upload' : 'download'
    return { conflict: 'changed on both sides' }
  }
  const deletion = local === 'gone' ? 'delete remote' : 'delete local'
  const isDeletionPreferred = prefer === (local === 'gone' ? 'local' : 'remote')
  if (prefer && !isDeletionPreferred) return local === 'gone' ? 'download' : 'upload'
  if (prefer && isDeleting) return deletion
  return { conflict: local === 'gone' ? 'deleted here, changed in the drive' : 'changed here, deleted in the drive' }
}
