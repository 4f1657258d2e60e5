/** Tools that agents can be given, as named in `agents.tools` and in the stream. */
export const TOOL_NAMES = [
  'search_knowledge',
  'read_file',
  'list_files',
  'create_file',
  'web_search',
  'fetch_page',
  'run_javascript',
  'ask_person',
  'remember',
  'call_agent',
] as const
export type ToolName = (typeof TOOL_NAMES)[number]

/** Tools that an agent with folders uses unless it says otherwise. */
export const KNOWLEDGE_TOOLS: readonly ToolName[] = ['search_knowledge', 'read_file', 'list_files']

/** Built in, `SERVER__TOOL`, or `SERVER__*` for all of a server. */
export const TOOL_REFERENCE = /^[A-Za-z0-9_-]{1,32}__([A-Za-z0-9_.-]{1,64}|\*)$/

/** Whether a list of tool references names a tool. */
export const isNamedIn = (references: readonly string[], toolName: string): boolean =>
  references.some(
    (name) => name === toolName || (name.endsWith('__*') && toolName.startsWith(name.slice(0, -'*'.length))),
  )
