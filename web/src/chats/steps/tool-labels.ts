import { t } from '@lingui/core/macro'
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
 * @param question of the turn, which stands above: a search for the same is not told in its words again
 */
export function endedTitle({ toolName, given, preview }: ToolStep, question?: string): string | undefined {
  const query = typeof given?.query === 'string' ? given.query.slice(0, 200) : undefined
  if (!query || preview?.status === 'error') return preview?.title
  if (toolName === 'search_knowledge')
    return given!.query === question ? t`Searched the documents` : t`Search: ${query}`
  return toolName === 'web_search' ? t`Searched the web for “${query}”` : preview?.title
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

/** Description of a tool; tools of MCP servers are named `SERVER__TOOL`. */
export function toolWords(name: string): ToolWords {
  const [server, tool] = name.split('__')
  const own = tools()[name]
  if (own) return own
  return { doing: tool ? `${toWords(server!)}: ${toWords(tool).toLowerCase()}` : toWords(name), icon: Wrench }
}
