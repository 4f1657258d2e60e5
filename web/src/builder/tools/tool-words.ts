/** Built-in tools with their titles, in the order in which they are shown. */
export const TOOL_WORDS: Record<string, { title: string; about: string; isOwnQuestion?: boolean }> = {
  search_knowledge: { title: 'Search its folders', about: 'Finds passages that answer a question, and cites them.' },
  read_file: { title: 'Read files', about: 'Reads a file of its folders from the beginning, or some pages of it.' },
  list_files: { title: 'See which files there are', about: 'Lists folders and files, to find one by its name.' },
  create_file: {
    title: 'Make files',
    about: 'Writes Word, Excel, PDF, text and pictures of charts, for people to download.',
  },
  fetch_page: {
    title: 'Open web pages',
    about: 'Reads pages of the hosts that this server’s operator allows, and pages that the person names.',
  },
  run_javascript: { title: 'Calculate', about: 'Runs small programs in a sandbox: sums, dates, statistics.' },
  ask_person: {
    title: 'Ask the person',
    about: 'Asks back when something is unclear, and waits for the answer.',
    isOwnQuestion: true,
  },
  remember: { title: 'Remember people', about: 'Keeps facts about the person it talks to, for the next time.' },
}

/** Title of a tool: `tickets__create` becomes `create (tickets)`. */
export function toolTitle(name: string): string {
  if (name === 'call_agent') return 'Call other agents'
  const [server, tool] = name.split('__')
  if (tool) return tool === '*' ? `everything of ${server}` : `${tool} (${server})`
  return TOOL_WORDS[name]?.title ?? name.replaceAll('_', ' ')
}
