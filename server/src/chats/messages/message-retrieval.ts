import type { FolderReader } from '../../access/access.ts'
import type { Citation } from '../../agents/agents.ts'
import type { Db } from '../../db.ts'
import type { KeptSearch } from '../../retrieval/retrieval.ts'
import type { LiveUpdateEntry, LogEntry } from '../runs/run-log.ts'
import { logOf } from '../runs/stored/stored-events.ts'
import { findHiddenAmong } from './citations/readable-citations.ts'
import type { MessageRecord } from './messages.store.ts'

/** Passages that the searches of an answer found, and those of them that it cites. */
export interface MessageRetrieval {
  /** Searches in the order in which they ended. */
  searches: (Omit<KeptSearch, 'passages'> & {
    tool_call_id: string
    /** Sub-agent that searched; null for the agent itself. */
    agent: { id: string; name: string } | null
    passages: (KeptSearch['passages'][number] & { is_cited: boolean })[]
  })[]
  citations: Citation[]
}

/** Finds what an answer was given and what it cites; what the reader may not read now is left out. */
export async function findMessageRetrieval(
  db: Db,
  reader: FolderReader,
  message: MessageRecord,
): Promise<MessageRetrieval> {
  const citations = JSON.parse(message.citations) as Citation[]
  const cited = new Set(citations.map(({ index }) => index))
  const found = logOf(message).filter(isSearch)
  const files = [...citations, ...found.flatMap(({ search }) => search.passages)].map((one) => one.data_source_id)
  const hidden = await findHiddenAmong(db, reader, files)
  const isShown = ({ data_source_id }: { data_source_id: string }) => !hidden.has(data_source_id)
  return {
    searches: found.map(({ data, search: { passages, ...search } }) => ({
      tool_call_id: data.tool_call_id,
      agent: data.agent ?? null,
      ...search,
      passages: passages.filter(isShown).map((passage) => ({ ...passage, is_cited: cited.has(passage.index) })),
    })),
    citations: citations.filter(isShown),
  }
}

const isSearch = (entry: LogEntry): entry is LiveUpdateEntry & { search: KeptSearch } =>
  entry.type === 'live_update' && 'search' in entry
