/** Something that an agent remembers of a virtual user. */
export interface PersonMemoryTable {
  id: string
  organization_id: string
  agent_id: string
  virtual_user_id: string
  /** Topic; a later memory on the same topic takes its place. */
  topic: string | null
  /** Folded form of the topic. */
  topic_key: string | null
  text: string
  /** Holder of the rights with which the message was answered in which it was said. */
  member_id: string | null
  /** The message in which it was said. */
  message_id: string
  created_at: string
  updated_at: string
}
