import type { Thread } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { fileNameFrom, saveFile } from '../../platform/files/save-file.ts'
import { dismissToast, toast, updateToast } from '../../ui/overlays/toasts.tsx'
import type { ThreadSearch } from '../thread-search.ts'
import { allThreads } from '../threads.queries.ts'
import { toCsv } from './threads-csv.ts'

const TYPES = { csv: 'text/csv', json: 'application/json' }

/** Saves all matching threads, not only those on the page; reports progress and can be cancelled. */
export async function exportThreads(
  agent: { id: string; name: string },
  search: ThreadSearch,
  format: keyof typeof TYPES,
): Promise<void> {
  const stop = new AbortController()
  const id = toast(t`Collecting the threads`, {
    progress: 0,
    action: { label: t`Stop`, run: () => stop.abort() },
  })
  try {
    const threads: Thread[] = []
    const onPage = (done: number, total: number) =>
      updateToast(id, t`${done} of ${total} threads`, total === 0 ? 1 : done / total)
    for await (const page of allThreads(agent.id, search, stop.signal, onPage)) threads.push(...page)
    const text = format === 'csv' ? toCsv(threads) : `${JSON.stringify(threads, null, 2)}\n`
    const day = new Date().toISOString().slice(0, 10)
    saveFile(`threads-${fileNameFrom(agent.name, 'agent')}-${day}.${format}`, new Blob([text], { type: TYPES[format] }))
  } catch (error) {
    if (!stop.signal.aborted) throw error
  } finally {
    dismissToast(id)
  }
}
