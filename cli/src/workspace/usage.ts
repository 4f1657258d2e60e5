import { type Command, Option } from 'commander'
import { usageError } from '../failures.ts'
import { openSession } from '../session.ts'
import { inColumns } from '../terminal/table.ts'

const GROUPS = ['day', 'agent', 'virtual_user', 'api_key', 'model'] as const

interface UsageOptions {
  by: (typeof GROUPS)[number]
  from?: string
  to?: string
  csv?: boolean
}

/** Adds `docent usage`. */
export const addUsage = (program: Command) =>
  program
    .command('usage')
    .description('messages, tokens and cost of the workspace, by default of the last 30 days')
    .addOption(new Option('--by <group>', 'a row for each').choices(GROUPS).default('day'))
    .option('--from <day>', 'first day (UTC), for instance 2026-01-31', day)
    .option('--to <day>', 'last day', day)
    .option('--csv', 'comma-separated values')
    .action(async (options: UsageOptions, command: Command) => usage(options, command))

/** @throws CommandError */
function day(text: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))) return text
  throw usageError(`"${text}" is no day: write it like 2026-01-31`)
}

async function usage({ by, from, to, csv }: UsageOptions, command: Command): Promise<void> {
  const session = await openSession(command)
  const query = { group_by: by, ...(from && { from }), ...(to && { to }) }
  const workspaceId = await session.workspaceId()
  if (csv && !session.isJson) {
    process.stdout.write(await session.client.usage.csv(workspaceId, query))
    return
  }
  const { usage: groups, total } = await everything(session.client.usage.get(workspaceId, { ...query, page_size: 100 }))
  session.print({ usage: groups, total }, () =>
    inColumns([
      ['messages', 'input tokens', 'output tokens', 'US$', by],
      // Days without a message would hide the others.
      ...groups.filter(isUsed).map((group) => [...figuresOf(group), nameOf(group)]),
      [...figuresOf(total), 'total'],
    ]),
  )
}

interface Figures {
  messages: number
  input_tokens: number
  output_tokens: number
  cost_usd: number | null
}

const isUsed = ({ messages, input_tokens, output_tokens }: Figures) => messages + input_tokens + output_tokens > 0

const figuresOf = ({ messages, input_tokens, output_tokens, cost_usd }: Figures) => [
  messages,
  input_tokens,
  output_tokens,
  cost_usd?.toFixed(2) ?? '–',
]

const nameOf = (
  group: Partial<Record<'day' | 'name' | 'email' | 'model' | 'agent_id' | 'api_key_id', string | null>>,
) => group.day ?? group.name ?? group.email ?? group.model ?? group.agent_id ?? group.api_key_id ?? 'none'

/** All groups of all pages, with the sums of the last one. */
async function everything<Group, Total>(list: { pages(): AsyncIterable<{ usage: Group[]; total: Total }> }) {
  const groups: Group[] = []
  let total: Total | undefined
  for await (const page of list.pages()) {
    groups.push(...page.usage)
    total = page.total
  }
  return { usage: groups, total: total! }
}
