import type { Generated } from 'kysely'

export interface ChatTable {
  id: string
  organization_id: string
  workspace_id: string
  agent_id: string
  title: string
  /** Lower case, for searching. */
  title_key: string
  chat_type: 'playground' | 'configuration' | 'interact' | 'standard'
  /** JSON object of strings. */
  metadata: string
  /** Visitor who began it through a link; null for the chats of keys. */
  visitor_id: string | null
  /** Member who began it, and has it for themselves; null for the chats of keys and visitors. */
  member_id: Generated<string | null>
  /** Virtual user whose it is, and of whom all its messages are. */
  virtual_user_id: Generated<string | null>
  /** Project that it is in; see `projects/`. */
  project_id: Generated<string | null>
  /** Put away: in no list that does not ask for it. */
  is_archived: Generated<number>
  /** Kept above the others. */
  is_pinned: Generated<number>
  /** Whether a file ever came with a message of it. */
  has_files: number
  /** Time of the newest question; this and the next two follow the messages, for the threads table. */
  last_message_at: Generated<string | null>
  message_count: Generated<number>
  /** Input and output of all messages. */
  total_tokens: Generated<number>
  /** Place of the newest message; see there. */
  last_place: Generated<number>
  /** Last message of the branch that is shown; null for a chat that has no branches. */
  leaf_id: Generated<string | null>
  created_at: string
  updated_at: string
}

/** Metadata of chats, a row a key, for filtering. */
export interface ChatMetadataTable {
  organization_id: string
  chat_id: string
  key: string
  value: string
}

/** A chat that members of its workspace may read by a link. */
export interface ChatShareTable {
  /** Secret part of the link. */
  id: string
  organization_id: string
  workspace_id: string
  agent_id: string
  chat_id: string
  /** Member who shared it. */
  member_id: string
  /** JSON array of the messages that are shown, oldest first; null for all that the chat shows now. */
  message_ids: string | null
  created_at: string
  updated_at: string
}

export type ResolutionStatus = 'in_progress' | 'waiting' | 'completed'

export interface MessageTable {
  id: string
  organization_id: string
  chat_id: string
  agent_id: string
  query: string
  response: string
  reasoning: string
  message_type: string
  status: ResolutionStatus
  error_message: string | null
  is_pinned: number
  virtual_user_id: string | null
  /** The key that asked; null for messages from before keys were noted. */
  api_key_id: string | null
  /** Holder of the rights with which it is answered: a member, the workspace for a key of the role member, null for others. */
  member_id: Generated<string | null>
  /**
   * How it was sent, or that it continues after a review. What a process leaves behind when it dies is taken up again if
   * nobody waits at a connection for it: in the modes `async` and `reviewed`.
   */
  mode: 'blocking' | 'streaming' | 'async' | 'reviewed'
  job_id: string | null
  /** JSON array of folders to answer from; null for all that the agent has. */
  knowledge_base_ids: string | null
  /** JSON object: a filter by the metadata of files; null for none. */
  filters: Generated<string | null>
  /** The shortcut that made the query, with the values that were filled in (JSON array of field_name, field_value). */
  quick_action_id: string | null
  quick_action_fields: string
  /** Files that its tools made. */
  output_count: number
  feedback_rating: 'up' | 'down' | null
  feedback_comment: string | null
  /** JSON array of citations. */
  citations: string
  /** JSON array of what the stream showed and when, with texts left to `response` and `reasoning`; see `run-log.ts`. */
  events: string
  /** SHA-256 of the query's content, which distinguishes a retry from a clash of ids. */
  fingerprint: string
  /**
   * The server process that runs the message; a message whose process is gone was interrupted. Empty while it is left to
   * whichever takes it up.
   */
  process_id: string
  /** Fencing number of the process at work: the holder of an earlier one must write nothing more. */
  attempt: Generated<number>
  /** Number in its chat: a message in progress waits for those in progress with a lower one. */
  place: Generated<number>
  /** Message that it follows, in a chat with branches; null for a first one, and in chats without. */
  parent_id: Generated<string | null>
  /** Whether it is in a branch that is not shown. */
  is_aside: Generated<number>
  /** `provider/model` that the query named; null where it left that to the agent. */
  asked_model: Generated<string | null>
  /** `provider/model` that answered. */
  model: string | null
  input_tokens: number
  cached_input_tokens: number
  output_tokens: number
  reasoning_tokens: number
  /** Millionths of a US dollar, by the prices at its end; null where one is not known. */
  cost_micros: number | null
  created_at: string
  updated_at: string
}

/** Text of a message as the search in chats indexes it; the index itself is in `platform/database/text-index.ts`. */
export interface MessageSearchTable {
  number: Generated<number>
  organization_id: string
  message_id: string
  chat_id: string
}

/** Messages that ended, and wait to be indexed; triggers add them. */
export interface MessageUnindexedTable {
  organization_id: string
  message_id: string
}

/** State from which another process resumes a run; there while the run has used tools and is not at its end. */
export interface RunStateTable {
  organization_id: string
  message_id: string
  /** JSON; see `runs/stored/stored-run.ts`. */
  state: string
  updated_at: string
}

/** Question of a run to a person. A message has one pending at a time. */
export interface ReviewTable {
  id: string
  organization_id: string
  workspace_id: string
  /** Agent of the chat. */
  agent_id: string
  chat_id: string
  message_id: string
  /** Agent of the chat, or one of its sub-agents. */
  asked_by: string
  kind: 'approval' | 'question'
  tool_name: string
  text: string
  /** JSON object, of the call that is to be approved. */
  arguments: string | null
  /** JSON object that the call ran with instead. */
  changed_arguments: string | null
  /** JSON array of answers to choose from. */
  options: string
  status: 'pending' | 'approved' | 'rejected' | 'answered' | 'expired' | 'cancelled'
  note: string | null
  decided_at: string | null
  /** The API key. */
  decided_by: string | null
  created_at: string
  expires_at: string
}

/** A file that was sent with a message, and lives as long as it. */
export interface MessageFileTable {
  organization_id: string
  chat_id: string
  message_id: string
  ordinal: number
  upload_id: string
  blob_key: string
  file_name: string
  media_type: string
  size_bytes: number
}

/** A file that a tool made for the person. */
export interface MessageOutputTable {
  organization_id: string
  message_id: string
  /** Short, as in `downloadable_output`. */
  key: string
  blob_key: string
  file_name: string
  media_type: string
  size_bytes: number
  created_at: string
}
