import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { closeToOthers, isOpenToOthers } from '../../platform/host/private-files.ts'

/** Names in DATA_DIR of what Docent makes. The modes of anything else there are the operator's to choose. */
const MADE_BY_DOCENT =
  /^(docent\.sqlite.*|server\.lock.*|owner-key.*|reserve|blobs|search|work|cache|backups|restoring)$/

/**
 * Counts the files and folders of DATA_DIR that other users of the machine may use, as earlier versions made them;
 * with `fix` they are closed to those.
 */
export async function examineModes(dataDir: string, fix: boolean): Promise<{ open_files: number }> {
  let open = 0
  const examine = async (path: string) => {
    if (!(await isOpenToOthers(path))) return
    open++
    if (fix) await closeToOthers(path)
  }
  const examineFolder = async (folder: string, isOurs = (_name: string) => true) => {
    await examine(folder)
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(noneIfGone)) {
      const path = join(folder, entry.name)
      if (!isOurs(entry.name)) continue
      if (entry.isDirectory()) await examineFolder(path)
      else if (entry.isFile()) await examine(path)
    }
  }
  await examineFolder(dataDir, (name) => MADE_BY_DOCENT.test(name))
  return { open_files: open }
}

function noneIfGone(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT') return []
  throw error
}
