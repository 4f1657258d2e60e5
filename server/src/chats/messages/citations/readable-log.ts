import type { FolderReader } from '../../../access/access.ts'
import { KNOWLEDGE_TOOLS, type ToolPreview } from '../../../agents/agents.ts'
import type { Db } from '../../../db.ts'
import { findHiddenFiles, findRestriction } from '../../../drive/drive.ts'
import type { LiveUpdateEntry, LogEntry } from '../../runs/run-log.ts'
import { logOf } from '../../runs/stored/stored-events.ts'
import type { MessageRecord } from '../messages.store.ts'

/** Whether previews of a tool show documents. */
export const showsDocuments = (toolName: string): boolean => KNOWLEDGE_TOOLS.some((name) => name === toolName)

/**
 * Log of an answer without what it tells of files that the reader may not read now: rights may have changed since, or
 * somebody else asked. Costs nothing where nothing is kept from the reader.
 */
export async function findReadableLog(db: Db, reader: FolderReader, message: MessageRecord): Promise<LogEntry[]> {
  const log = logOf(message)
  const restriction = await findRestriction(db, reader)
  if (!restriction) return log
  const filesRead = new Map(log.filter(isLiveUpdate).flatMap(({ data }) => fileRead(data)))
  const hidden = await findHiddenFiles(db, reader, [...new Set([...log.flatMap(filesIn), ...filesRead.values()])])
  const isOwn = message.rightsHolderId === reader.rightsHolderId && message.createdAt > restriction.since

  function readablePreview({ data, search }: LiveUpdateEntry, preview: ToolPreview): ToolPreview {
    if (search) {
      if (!search.passages.some((passage) => hidden.has(passage.data_source_id))) return preview
      const shown = search.passages.filter((passage) => !hidden.has(passage.data_source_id))
      const isShown = (line: string) => shown.some(({ index }) => line.startsWith(`${index}. `))
      return { ...preview, content: preview.content.split('\n').filter(isShown).join('\n') }
    }
    const file = filesRead.get(data.tool_call_id)
    // The stored step does not say which files it shows.
    const mayHide = file === undefined ? !isOwn : hidden.has(file)
    return mayHide ? { ...preview, title: data.tool_name, content: '' } : preview
  }

  return log.map((entry) => {
    if (entry.type === 'end_response') {
      const citations = entry.data.citations.filter(({ data_source_id }) => !hidden.has(data_source_id))
      return { ...entry, data: { ...entry.data, citations } }
    }
    if (!isLiveUpdate(entry) || !showsDocuments(entry.data.tool_name)) return entry
    const { preview, tool_call_id } = entry.data
    const data = { ...entry.data, preview: preview && readablePreview(entry, preview) }
    return { ...entry, data: hidden.has(filesRead.get(tool_call_id) ?? '') ? { ...data, arguments: null } : data }
  })
}

const isLiveUpdate = (entry: LogEntry): entry is LiveUpdateEntry => entry.type === 'live_update'

function filesIn(entry: LogEntry): string[] {
  if (entry.type === 'end_response') return entry.data.citations.map((citation) => citation.data_source_id)
  return isLiveUpdate(entry) ? (entry.search?.passages ?? []).map((passage) => passage.data_source_id) : []
}

/** Call that reads a document, with the document's id. */
function fileRead({ tool_name, tool_call_id, arguments: given }: LiveUpdateEntry['data']): [string, string][] {
  const id = tool_name === 'read_file' ? given?.data_source_id : undefined
  return typeof id === 'string' ? [[tool_call_id, id]] : []
}
