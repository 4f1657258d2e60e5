import { t } from '@lingui/core/macro'
import { toWords } from '../../platform/format.ts'
import { isBuiltIn } from './tool-labels.ts'

/** Names of the arguments of built-in tools, in the UI's language. */
const names = (): Record<string, string> => ({
  query: t`Looks for`,
  url: t`Address`,
  name: t`File name`,
  content: t`Content`,
  chart: t`Chart`,
  code: t`Code`,
  question: t`Question`,
  options: t`Choices`,
  name_contains: t`Name has`,
  last_page: t`To page`,
  count: t`Results`,
  recent: t`Not older than`,
  text: t`Fact`,
  topic: t`Topic`,
})

/** Names that mean something else in one tool. */
const namesIn = (): Record<string, Record<string, string>> => ({
  call_agent: { query: t`Task` },
  create_file: { page: t`Paper` },
  read_file: { page: t`Page`, start: t`Goes on at` },
})

/** Arguments that only a program can read: ids, and what the step's title says. */
const HIDDEN: Record<string, string[]> = {
  search_knowledge: ['knowledge_base_id'],
  list_files: ['knowledge_base_id'],
  read_file: ['data_source_id'],
  call_agent: ['agent_id'],
  remember: ['action', 'id'],
}

/** Name of an argument for a person; undefined for one that says nothing to them. */
export function argumentName(tool: string, argument: string): string | undefined {
  if (HIDDEN[tool]?.includes(argument)) return undefined
  const isOwn = isBuiltIn(tool)
  return namesIn()[tool]?.[argument] ?? (isOwn ? names()[argument] : undefined) ?? toWords(argument)
}
