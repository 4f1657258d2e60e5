import { t } from '@lingui/core/macro'
/** Built-in tools with their titles, in the order in which they are shown. */
export const TOOL_WORDS: Record<string, { title: string; about: string; isOwnQuestion?: boolean }> = {
  search_knowledge: { title: t`Search its folders`, about: t`Finds passages that answer a question, and cites them.` },
  read_file: { title: t`Read files`, about: t`Reads a file of its folders from the beginning, or some pages of it.` },
  list_files: { title: t`See which files there are`, about: t`Lists folders and files, to find one by its name.` },
  create_file: {
    title: t`Make files`,
    about: t`Writes Word, Excel, PDF, text and pictures of charts, for people to download.`,
  },
  web_search: {
    title: t`Search the web`,
    about: t`Finds pages with the provider of the workspace, and names them. Opening them is a tool of its own.`,
  },
  fetch_page: {
    title: t`Open web pages`,
    about: t`Reads pages of the hosts that this server’s operator allows, and pages that the person names.`,
  },
  run_javascript: { title: t`Calculate`, about: t`Runs small programs in a sandbox: sums, dates, statistics.` },
  ask_person: {
    title: t`Ask the person`,
    about: t`Asks back when something is unclear, and waits for the answer.`,
    isOwnQuestion: true,
  },
  remember: { title: t`Remember people`, about: t`Keeps facts about the person it talks to, for the next time.` },
}

/** Title of a tool: `tickets__create` becomes `create (tickets)`. */
export function toolTitle(name: string): string {
  if (name === 'call_agent') return t`Call other agents`
  const [server, tool] = name.split('__')
  if (tool) return tool === '*' ? t`everything of ${server!}` : `${tool} (${server})`
  return TOOL_WORDS[name]?.title ?? name.replaceAll('_', ' ')
}
