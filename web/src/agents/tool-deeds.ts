import { t } from '@lingui/core/macro'
import { toWords } from '../platform/format.ts'

/** Deeds of built-in tools, by name. */
const deeds = (): Record<string, string> => ({
  search_knowledge: t`search its folders`,
  read_file: t`read a file`,
  list_files: t`see which files there are`,
  create_file: t`make a file`,
  web_search: t`search the web`,
  fetch_page: t`open a web page`,
  run_javascript: t`calculate`,
  call_agent: t`ask another agent`,
  remember: t`remember something about the person`,
})

/** Deed of a tool, behind "may": `make a file`; `tickets__create_ticket` becomes `use “create ticket” of tickets`. */
export function toolDeed(name: string): string {
  const [server, tool] = name.split('__')
  return deeds()[name] ?? (tool ? t`use “${toWords(tool).toLowerCase()}” of ${server!}` : t`use “${toWords(name)}”`)
}

/** Question of a review: the server asks `May Desk use create_file?`. */
export function reviewInWords({ text, tool_name }: { text: string; tool_name: string }): string {
  const end = ` use ${tool_name}?`
  if (!text.startsWith(MAY) || !text.endsWith(end)) return text
  const asker = text.slice(MAY.length, -end.length)
  const deed = toolDeed(tool_name)
  return t`May ${asker} ${deed}?`
}

const MAY = 'May '
