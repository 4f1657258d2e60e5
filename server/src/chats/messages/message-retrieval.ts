import type { FolderReader } from '../../access/access.ts'
import type { Db } from '../../db.ts'
import type { KeptSearch } from '../../retrieval/retrieval.ts'
import type { LiveUpdateEntry, LogEntry } from '../runs/run-log.ts'
import { logOf } from '../runs/stored/stored-events.ts'
import { findHiddenAmong, withReadableCitations } from './citations/readable-citations.ts'
import type { MessageRecord } from './messages.store.ts'

/** Passages that the searches of an answer found, and those of them that it cites. */
export interface MessageRetrieval {
  /** In the order in which they ended. */
  searches: (Omit<KeptSearch, 'passages'> & {
    tool_call_id: string
    /** Sub-agent that searched; null for the agent itself. */
    agent: { id: string; name: string } | null
    passages: (KeptSearch['passages'][number] & { is_cited: boolean })[]
  })[]
  /** JSON array of citations. */
  citations: string
}

/** Finds what an answer was given and what it cites; what the reader may not read now is left out. */
export async function findMessageRetrieval(
  db: Db,
  reader: FolderReader,
  message: MessageRecord,
): Promise<MessageRetrieval> {
  const [{ citations }] = (await withReadableCitations(db, reader, [message])) as [MessageRecord]
  const cited = new Set((JSON.parse(citations) as { index: number }[]).map(({ index }) => index))
  const updates = logOf(message).filter(isSearch)
  const found = updates.flatMap(({ search }) => search.passages.map(({ data_source_id }) => data_source_id))
  const hidden = await findHiddenAmong(db, reader, found)
  const searches = updates.map(({ data, search: { passages, ...search } }) => ({
    tool_call_id: data.tool_call_id,
    agent: data.agent ?? null,
    ...search,
    passages: passages
      .filter(({ data_source_id }) => !hidden.has(data_source_id))
      .map((passage) => ({ ...passage, is_cited: cited.has(passage.index) })),
  }))
  return { searches, citations }
}

const isSearch = (entry: LogEntry): entry is LiveUpdateEntry & { search: KeptSearch } =>
  entry.type === 'live_update' && 'search' in entry
