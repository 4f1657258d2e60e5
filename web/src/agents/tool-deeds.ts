import { toWords } from '../platform/format.ts'

/** Deeds of built-in tools, by name. */
const DEEDS: Record<string, string> = {
  search_knowledge: 'search its folders',
  read_file: 'read a file',
  list_files: 'see which files there are',
  create_file: 'make a file',
  fetch_page: 'open a web page',
  run_javascript: 'calculate',
  call_agent: 'ask another agent',
  remember: 'remember something about the person',
}

/** Deed of a tool, behind "may": `make a file`; `tickets__create_ticket` becomes `use “create ticket” of tickets`. */
export function toolDeed(name: string): string {
  const [server, tool] = name.split('__')
  return DEEDS[name] ?? (tool ? `use “${toWords(tool).toLowerCase()}” of ${server}` : `use “${toWords(name)}”`)
}

/** Question of a review: the server asks `May Desk use create_file?`. */
export const reviewInWords = ({ text, tool_name }: { text: string; tool_name: string }): string =>
  text.endsWith(` use ${tool_name}?`) ? `${text.slice(0, -` use ${tool_name}?`.length)} ${toolDeed(tool_name)}?` : text
