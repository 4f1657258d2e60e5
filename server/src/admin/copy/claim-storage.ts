import type { Storage } from '../../storage.ts'
import { type CopyTarget, TargetInUseError } from './copy-target.ts'

const CLAIMED = 'storage'

/** Makes sure, at the first attempt, that nothing is where files and the search index go. @throws TargetInUseError */
export async function claimStorage(storage: Storage, target: CopyTarget): Promise<void> {
  if ((await target.findProgress(CLAIMED)) > 0) return
  const { done: isEmpty } = await storage.blobs.keys()[Symbol.asyncIterator]().next()
  if (!isEmpty || (await storage.hasSearchIndex()))
    throw new TargetInUseError(
      'Where files and the search index should go, there are some already. Name another folder, S3_BUCKET or DOCENT_S3_PREFIX.',
    )
  await target.database.writes.commit((tx) => target.setProgress(tx, CLAIMED, 1))
}
