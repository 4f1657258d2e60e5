import { plural, t } from '@lingui/core/macro'
import { toWords } from '../../platform/format.ts'
import {
  Bot,
  Braces,
  Brain,
  FilePlus,
  FileText,
  Globe,
  type LucideIcon,
  MessageCircleQuestion,
  Search,
  Wrench,
} from '../../ui/icons.ts'
import type { ToolStep } from '../answers/live-answer.ts'

/**
 * Title of a call that has ended, in the UI's language: the server writes it in English.
 * @param question of the turn, which is above: a search for the same is not told in its words again
 */
export function endedTitle({ toolName, given, preview }: ToolStep, question?: string): string | undefined {
  const title = preview?.title
  if (!title || title === toolName) return undefined
  if (preview?.status === 'error') return title
  const query = typeof given?.query === 'string' ? given.query.slice(0, 200) : undefined
  switch (toolName) {
    case 'search_knowledge':
      return query === undefined ? title : query === question ? t`Searched the documents` : t`Search: ${query}`
    case 'web_search':
      return query === undefined ? title : t`Searched the web for “${query}”`
    case 'fetch_page':
      return t`Read ${title.replace(/^Read /, '')}`
    case 'read_file':
      return readTitle(title)
    case 'list_files':
      return listTitle(title)
    case 'remember':
      return rememberTitle(given?.action) ?? title
    default:
      return title
  }
}

/** Title of `Read plan.pdf, pages 3 to 5`. */
function readTitle(title: string): string {
  const [, file, first, last] = /^Read (.*?)(?:, pages? (\d+)(?: to (\d+))?)?$/s.exec(title) ?? []
  if (file === undefined) return title
  if (first === undefined) return t`Read ${file}`
  return last === undefined ? t`Read ${file}, page ${first}` : t`Read ${file}, pages ${first} to ${last}`
}

/** Title of `3 files in 1 folder`. */
function listTitle(title: string): string {
  const [, files, folders] = /^(\d+) files? in (\d+) folders?$/.exec(title) ?? []
  if (files === undefined) return title
  return t`${plural(Number(files), { one: '# file', other: '# files' })} in ${plural(Number(folders), { one: '# folder', other: '# folders' })}`
}

function rememberTitle(action: unknown): string | undefined {
  if (action === 'save') return t`Remembered`
  if (action === 'forget') return t`Forgotten`
  return action === 'recall' ? t`Recalled` : undefined
}

interface ToolWords {
  doing: string
  icon: LucideIcon
}

/** Descriptions of running tools, by name. */
const tools = (): Record<string, ToolWords> => ({
  search_knowledge: { doing: t`Searching the documents`, icon: Search },
  read_file: { doing: t`Reading a file`, icon: FileText },
  list_files: { doing: t`Looking through the files`, icon: FileText },
  create_file: { doing: t`Writing a file`, icon: FilePlus },
  web_search: { doing: t`Searching the web`, icon: Globe },
  fetch_page: { doing: t`Reading a web page`, icon: Globe },
  run_javascript: { doing: t`Calculating`, icon: Braces },
  call_agent: { doing: t`Asking another agent`, icon: Bot },
  ask_person: { doing: t`Asking a person`, icon: MessageCircleQuestion },
  remember: { doing: t`Remembering something`, icon: Brain },
})

/** Whether a tool comes with Docent. */
export const isBuiltIn = (name: string): boolean => Object.hasOwn(tools(), name)

/** Description of a tool; tools of MCP servers are named `SERVER__TOOL`. */
export function toolWords(name: string): ToolWords {
  const [server, tool] = name.split('__')
  const own = tools()[name]
  if (own) return own
  return { doing: tool ? `${toWords(tool)} · ${toWords(server!)}` : toWords(name), icon: Wrench }
}
