import { t } from '@lingui/core/macro'
import { identity } from '../../access/access.ts'
import { ExplainedError } from '../../platform/errors.ts'
import { formatBytes } from '../../platform/format.ts'
import type { DroppedFolder } from './dropped-files.ts'

/** Refuses a file that the server would not take, before it is sent. @throws ExplainedError */
export function requireSize({ size }: File): void {
  const most = identity()?.limits.upload_bytes
  if (most === undefined || size <= most) return
  throw new ExplainedError(
    t`Too large: ${formatBytes(size)}, and this server takes files of up to ${formatBytes(most)}. Split it, or leave out pictures.`,
  )
}

/** Refuses what holds no file that could be sent: nothing needs to be made for it. @throws ExplainedError */
export function requireSendable(dropped: Omit<DroppedFolder, 'name'>): void {
  const [smallest] = filesIn(dropped).toSorted((one, other) => one.size - other.size)
  if (!smallest) throw new ExplainedError(t`There are no files in it.`)
  requireSize(smallest)
}

const filesIn = ({ files, folders }: Omit<DroppedFolder, 'name'>): File[] => [...files, ...folders.flatMap(filesIn)]
