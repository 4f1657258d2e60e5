import type { Agent, FileFilter, UpdateAgent } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { describeFilter } from '../filters/filter-words.ts'
import { toolTitle } from '../tools/tool-words.ts'

export interface FieldChange {
  label: string
  /** Removed and added lines. */
  before: string[]
  after: string[]
}

const LABELS: Record<string, string> = {
  name: t`Name`,
  description: t`Description`,
  instructions: t`Instructions`,
  model: t`Model`,
  knowledge_base_ids: t`Folders`,
  filters: t`Only some files`,
  tools: t`Tools`,
  tools_needing_approval: t`Ask first`,
  sub_agent_ids: t`Other agents`,
  limits: t`Limits`,
  visibility: t`Who may use it`,
}

/** Changes that a proposal makes to the agent, by field and line. */
export function changesIn(agent: Agent, changes: UpdateAgent, getName: (id: string) => string): FieldChange[] {
  return Object.entries(changes).flatMap(([field, value]) => {
    const before = toLines(field, agent[field as keyof Agent], getName)
    const after = toLines(field, value, getName)
    const change = { label: LABELS[field] ?? field, ...difference(before, after) }
    return change.before.length + change.after.length > 0 ? [change] : []
  })
}

function toLines(field: string, value: unknown, getName: (id: string) => string): string[] {
  if (field === 'model' && value === null) return [t`The server’s default`]
  if (field === 'tools' && value === null) return [t`The usual ones for its folders`]
  if (value === null || value === undefined || value === '') return []
  if (field === 'filters') return describeFilter(value as FileFilter)
  if (Array.isArray(value)) {
    const isTools = field.startsWith('tools')
    return value.map((one) => (isTools ? toolTitle(String(one)) : getName(String(one))))
  }
  if (typeof value === 'object')
    return Object.entries(value).map(([name, limit]) => `${name.replaceAll('_', ' ')}: ${limit ?? t`default`}`)
  return String(value).split('\n')
}

/** Lines that only one text has, by the longest common subsequence of lines. */
export function difference(before: string[], after: string[]): { before: string[]; after: string[] } {
  const lengths = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0))
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      lengths[i]![j] =
        before[i] === after[j] ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!)
  const gone: string[] = []
  const come: string[] = []
  let i = 0
  let j = 0
  while (i < before.length && j < after.length) {
    if (before[i] === after[j]) {
      i++
      j++
    } else if (lengths[i + 1]![j]! >= lengths[i]![j + 1]!) gone.push(before[i++]!)
    else come.push(after[j++]!)
  }
  return { before: [...gone, ...before.slice(i)], after: [...come, ...after.slice(j)] }
}
