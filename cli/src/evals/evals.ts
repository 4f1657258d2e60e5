import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EvaluationSet } from '@docent/sdk'
import type { Command } from 'commander'
import { findAgent } from '../agents/find-agent.ts'
import { CommandError, EXIT, usageError } from '../failures.ts'
import { firstOf } from '../first-of.ts'
import { onlyOne } from '../only-one.ts'
import { openSession, type Session, startedIn } from '../session.ts'
import { inColumns } from '../terminal/table.ts'

/** How often a run is asked how far it is. */
const LOOK_MS = 1_000

type MeasureName = NonNullable<EvaluationSet['schedule']>['alerts'][number]['measure']

/** Measures, with whether more or less of each is better. */
const BETTER = {
  recall_at_5: 'more',
  recall_at_10: 'more',
  ndcg_at_10: 'more',
  quoted: 'more',
  cited_expected: 'more',
  declined_right: 'more',
  declined_wrong: 'less',
  judge_score: 'more',
} as const satisfies Record<MeasureName, 'more' | 'less'>

interface RunOptions {
  detach?: boolean
  min?: string[]
  max?: string[]
}

interface ScheduleOptions {
  at?: string
  zone: string
  limit?: string[]
  drop?: string[]
  off?: boolean
}

/** Adds `docent evals`. */
export function addEvals(program: Command): void {
  const evals = program.command('evals').description('question sets of agents, and runs of them').helpCommand(false)
  evals
    .command('list')
    .description('list the question sets of an agent, and their last runs')
    .argument('<agent>', 'id or name')
    .action(async (agent: string, _options: object, command: Command) => list(agent, command))
  evals
    .command('import')
    .description('make a question set of a table, or add its lines to the set of that name')
    .argument('<agent>', 'id or name')
    .argument('<set>', 'id or name of the set')
    .argument('<file>', 'CSV with a column question, and others that docs/evaluation.md names')
    .action(async (agent: string, set: string, file: string, _options: object, command: Command) =>
      importCsv(agent, set, file, command),
    )
  evals
    .command('run')
    .description('ask an agent the questions of a set, wait for the end and tell the measures')
    .argument('<agent>', 'id or name')
    .argument('<set>', 'id or name of the set')
    .option('--detach', 'begin it and do not wait')
    .option('--min <measure=share...>', 'exit code 1 if a measure is below, for instance quoted=0.8')
    .option('--max <measure=share...>', 'exit code 1 if one of which less is better is above: declined_wrong=0.1')
    .action(async (agent: string, set: string, options: RunOptions, command: Command) =>
      run(agent, set, options, command),
    )
  evals
    .command('schedule')
    .description('run a question set every night, and say when a measure counts as worse')
    .argument('<agent>', 'id or name')
    .argument('<set>', 'id or name of the set')
    .option('--at <hour>', 'hour at which it begins, 0 to 23')
    .option('--zone <name>', 'time zone of the hour, for instance Europe/Berlin', 'UTC')
    .option('--limit <measure=share...>', 'tell webhooks when a measure is worse than this')
    .option('--drop <measure=share...>', 'tell webhooks when it is so much worse than in the run before')
    .option('--off', 'run it no more by itself')
    .action(async (agent: string, set: string, options: ScheduleOptions, command: Command) =>
      schedule(agent, set, options, command),
    )
  evals
    .command('compare')
    .description('tell what got better and worse from one run to a later one of the same set')
    .argument('<agent>', 'id or name')
    .argument('<before>', 'id of the earlier run')
    .argument('<after>', 'id of the later run')
    .action(async (agent: string, before: string, after: string, _options: object, command: Command) =>
      compare(agent, before, after, command),
    )
}

async function list(name: string, command: Command): Promise<void> {
  const session = await openSession(command)
  const { id } = await findAgent(session.client, name)
  const sets = await firstOf(session.client.evaluation.sets.list(id, { page_size: 100 }))
  const runs = await firstOf(session.client.evaluation.runs.list(id, { page_size: 100 }))
  session.print({ evaluation_sets: sets, evaluation_runs: runs }, () =>
    sets.flatMap((set) => [
      `${set.id}  ${set.name}  (${set.case_count} cases)`,
      ...inColumns(
        runs
          .filter((one) => one.evaluation_set_id === set.id)
          .map((one) => [
            '',
            one.id,
            one.created_at,
            one.status,
            `${one.done_count}/${one.case_count}`,
            one.agent_version,
          ]),
      ),
    ]),
  )
}

async function importCsv(name: string, setName: string, file: string, command: Command): Promise<void> {
  const session = await openSession(command)
  const { evaluation } = session.client
  const { id } = await findAgent(session.client, name)
  const csv = readFileSync(resolve(startedIn(), file), 'utf8')
  const known = await findSets(session, id, setName)
  const set =
    known.length > 0 ? onlyOne(known, 'question set', setName) : await evaluation.sets.create(id, { name: setName })
  try {
    const added = await evaluation.cases.add(id, set.id, { from: 'csv', csv })
    session.print({ evaluation_set_id: set.id, ...added }, () => [`${added.added} added, ${added.left_out} were there`])
  } catch (error) {
    // A set that was made for a table which cannot be read would stay behind empty.
    if (known.length === 0) await evaluation.sets.delete(id, set.id)
    throw error
  }
}

async function run(
  name: string,
  setName: string,
  { detach, min = [], max = [] }: RunOptions,
  command: Command,
): Promise<void> {
  const limits = [...min.map((text) => toLimit(text, 'more')), ...max.map((text) => toLimit(text, 'less'))]
  const session = await openSession(command)
  const { evaluation } = session.client
  const { id } = await findAgent(session.client, name)
  const sets = await findSets(session, id, setName)
  let current = await evaluation.runs.start(id, onlyOne(sets, 'question set', setName).id)
  let reported = -1
  while (!detach && (current.status === 'waiting' || current.status === 'running')) {
    if (current.done_count !== reported) session.tell(`${current.done_count} of ${current.case_count}`)
    reported = current.done_count
    await sleep(LOOK_MS)
    current = await evaluation.runs.get(id, current.id)
  }
  session.print({ evaluation_run: current }, () => linesOf(current))
  if (detach) return
  if (current.status !== 'completed') throw new CommandError(current.error_message ?? `The run was ${current.status}`)
  const missed = limits.filter(({ measure, share }) => isWorse(measure, measuresOf(current)[measure]?.value, share))
  for (const { measure, share } of missed)
    session.tell(`${measure} is ${BETTER[measure] === 'more' ? 'below' : 'above'} ${share}`)
  if (missed.length > 0) process.exitCode = EXIT.failed
}

/** Whether a measure is worse than a share. One of no case counts as 0: nothing was declined, and nothing was right. */
const isWorse = (measure: MeasureName, value: number | null | undefined, share: number): boolean =>
  BETTER[measure] === 'more' ? (value ?? 0) < share : (value ?? 0) > share

type Run = Awaited<ReturnType<Session['client']['evaluation']['runs']['get']>>

const measuresOf = ({ totals }: Run): Record<string, { value: number | null; cases: number }> => totals?.measures ?? {}

function linesOf(current: Run): string[] {
  const { id, status, done_count, case_count, agent_version, totals } = current
  const head = `${id}  ${status}  ${done_count} of ${case_count} cases, version ${agent_version}`
  if (!totals) return [head]
  const { latency_ms, input_tokens, output_tokens, cost_usd, failed } = totals
  return [
    head,
    ...inColumns([
      ...Object.entries(measuresOf(current)).map(([measure, { value, cases }]) => [
        measure,
        shareOf(value),
        `of ${cases}`,
      ]),
      ['failed', String(failed), ''],
      ['latency', `${latency_ms.p50 ?? '–'} ms`, `p95 ${latency_ms.p95 ?? '–'} ms`],
      ['tokens', String(input_tokens + output_tokens), `US$ ${cost_usd?.toFixed(4) ?? '–'}`],
    ]),
  ]
}

async function schedule(name: string, setName: string, options: ScheduleOptions, command: Command): Promise<void> {
  const { at, zone, off } = options
  const hour = at !== undefined && /^\d{1,2}$/.test(at) ? Number(at) : undefined
  if (!off && hour === undefined) throw usageError('Say the hour: --at 3, or --off')
  const [limits, drops] = [options.limit ?? [], options.drop ?? []].map((list) => list.map((text) => toLimit(text)))
  const measures = [...new Set([...limits!, ...drops!].map(({ measure }) => measure))]
  const shareIn = (list: typeof limits, measure: string) => list!.find((one) => one.measure === measure)?.share ?? null
  const alerts = measures.map((measure) => ({
    measure,
    limit: shareIn(limits, measure),
    drop: shareIn(drops, measure),
  }))
  const session = await openSession(command)
  const { id } = await findAgent(session.client, name)
  const found = onlyOne(await findSets(session, id, setName), 'question set', setName)
  const planned = off ? null : { hour: hour!, time_zone: zone, alerts }
  const set = await session.client.evaluation.sets.update(id, found.id, { schedule: planned })
  session.print(set, () => [
    set.next_run_at ? `The next run begins at ${set.next_run_at}` : 'It runs no more by itself',
  ])
}

async function compare(name: string, before: string, after: string, command: Command): Promise<void> {
  const session = await openSession(command)
  const { id } = await findAgent(session.client, name)
  const comparison = await session.client.evaluation.runs.compare(id, after, before)
  session.print(comparison, () => [
    comparison.changed_fields.length > 0
      ? `The agent differs in ${comparison.changed_fields.join(', ')}`
      : 'The agent is defined alike',
    ...inColumns([
      ['measure', 'before', 'after', 'better', 'worse'],
      ...comparison.measures.map((one) => [
        one.measure,
        shareOf(one.before.value),
        shareOf(one.after.value),
        String(one.better),
        String(one.worse),
      ]),
    ]),
    ...comparison.cases
      .filter(({ change }) => change !== 'same')
      .map(({ change, question, better, worse, case_id }) => {
        const names = [...better.map((one) => `+${one}`), ...worse.map((one) => `-${one}`)].join(' ')
        return `${change}: ${question ?? case_id} ${names}`.trimEnd()
      }),
  ])
}

const shareOf = (value: number | null) => (value === null ? '–' : `${(value * 100).toFixed(1)} %`)

/** Sets of an agent with this id or name. */
async function findSets({ client }: Session, agentId: string, name: string) {
  const sets = await firstOf(client.evaluation.sets.list(agentId, { page_size: 100 }))
  const byId = sets.filter(({ id }) => id === name)
  return byId.length > 0 ? byId : sets.filter((set) => set.name.toLowerCase() === name.toLowerCase())
}

/** @param better which is better of the measures that the option takes; any without @throws CommandError */
function toLimit(text: string, better?: 'more' | 'less'): { measure: MeasureName; share: number } {
  const [, measure, share] = /^([a-z_0-9]+)=(0(?:\.\d+)?|1(?:\.0+)?)$/.exec(text) ?? []
  if (measure === undefined) throw usageError(`"${text}" is no limit: write it like quoted=0.8`)
  if (!isMeasure(measure))
    throw usageError(`There is no measure "${measure}", there are ${Object.keys(BETTER).join(', ')}`)
  const { [measure]: isBetter } = BETTER
  if (better && isBetter !== better)
    throw usageError(`Of ${measure} ${isBetter} is better: write --${isBetter === 'more' ? 'min' : 'max'} ${text}`)
  return { measure, share: Number(share) }
}

const isMeasure = (name: string): name is MeasureName => Object.hasOwn(BETTER, name)
