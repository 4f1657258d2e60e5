/** Tools that agents can be given, as named in `agents.tools` and in the stream. */
export const TOOL_NAMES = ['search_knowledge', 'read_file', 'list_files', 'create_file'] as const
export type ToolName = (typeof TOOL_NAMES)[number]

/** What an agent with folders uses unless it says otherwise. */
export const KNOWLEDGE_TOOLS: readonly ToolName[] = ['search_knowledge', 'read_file', 'list_files']
