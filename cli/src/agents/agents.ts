import { writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DocentError } from '@docent/sdk'
import type { Command } from 'commander'
import { CommandError, EXIT, usageError } from '../failures.ts'
import { firstOf } from '../first-of.ts'
import { onlyOne } from '../only-one.ts'
import { pathToWrite } from '../path-to-write.ts'
import { openSession, type Session, startedIn } from '../session.ts'
import { inColumns } from '../terminal/table.ts'
import { readAgentFile, toYaml } from './agent-file.ts'
import { findAgent, listNamed } from './find-agent.ts'
import { linesOfChanges, linesOfUnmapped } from './show-changes.ts'
import { readSkills, writeSkills } from './skill-folders.ts'

interface ExportOptions {
  force?: boolean
  skills?: string
}

interface FileOptions {
  agent?: string
  new?: boolean
  dryRun?: boolean
  strict?: boolean
}

/** Adds `docent agents`. */
export function addAgents(program: Command): void {
  const agents = program
    .command('agents')
    .description('agents, and agents as files that live in Git')
    .helpCommand(false)
  agents
    .command('list')
    .description('list agents, newest first')
    .action(async (_options: object, command: Command) => list(command))
  agents
    .command('show')
    .description('tell what an agent is, with its folders, tools, jobs and shortcuts')
    .argument('<agent>', 'id or name')
    .action(async (name: string, _options: object, command: Command) => show(name, command))
  agents
    .command('export')
    .description('write an agent as YAML: with its jobs, shortcuts and tools, folders by path, without secrets')
    .argument('<agent>', 'id or name')
    .argument('[file]', 'file to write; - for standard output', '-')
    .option('--skills <directory>', 'write each job as a folder there, in the Agent Skills format')
    .option('-f, --force', 'overwrite files')
    .action(async (name: string, file: string, options: ExportOptions, command: Command) =>
      exportTo(name, file, options, command),
    )
  agents
    .command('apply')
    .description('make agents like files: the agent of that name, or a new one')
    .argument('<files...>', 'YAML or JSON; - for standard input')
    .option('--agent <agent>', 'id or name of the agent that becomes like the file')
    .option('--new', 'make another agent, whether there is one of that name or not')
    .option('--dry-run', 'only tell what would change')
    .option('--strict', 'change nothing if the server cannot take all of a file')
    .action(async (files: string[], options: FileOptions, command: Command) => apply(files, options, command))
  agents
    .command('diff')
    .description('tell how agents differ from files; exit code 1 if they do')
    .argument('<files...>', 'YAML or JSON; - for standard input')
    .option('--agent <agent>', 'id or name of the agent to compare with')
    .action(async (files: string[], options: FileOptions, command: Command) => diff(files, options, command))
}

async function list(command: Command): Promise<void> {
  const session = await openSession(command)
  const agents = await firstOf(session.client.agents.list({ page_size: 100 }))
  session.print({ agents }, () => inColumns(agents.map(({ id, model, name }) => [id, model ?? 'default model', name])))
}

async function show(name: string, command: Command): Promise<void> {
  const session = await openSession(command)
  const { id } = await findAgent(session.client, name)
  const { agent, unmapped } = await session.client.agents.export(id)
  session.print({ id, agent, unmapped }, () => [
    ...inColumns([
      ['id', id],
      ['name', agent.name],
      ['model', agent.model ?? 'default'],
      ['visible to', agent.visibility],
      ['folders', agent.knowledge_bases.join(', ')],
      ['tools', agent.tools === null ? 'default' : agent.tools.join(', ')],
      ['calls', agent.sub_agents.join(', ')],
      ['MCP', namesOf(agent.mcp_servers)],
      ['APIs', namesOf(agent.openapi_tools)],
      ['jobs', namesOf(agent.jobs)],
      ['shortcuts', namesOf(agent.shortcuts)],
      ['about', agent.description],
    ]).filter((line) => line.includes('  ')),
  ])
}

const namesOf = (parts: { name: string }[]) => parts.map(({ name }) => name).join(', ')

async function exportTo(
  name: string,
  file: string,
  { force: isForced = false, skills }: ExportOptions,
  command: Command,
): Promise<void> {
  const session = await openSession(command)
  const { id } = await findAgent(session.client, name)
  const { agent: exported, unmapped } = await session.client.agents.export(id, { jobs: skills ? 'skills' : 'fields' })
  const path = pathToWrite(file, isForced)
  const from = path ? dirname(path) : startedIn()
  const agent = skills ? writeSkills(exported, { folder: resolve(startedIn(), skills), from, isForced }) : exported
  const yaml = toYaml(agent, unmapped)
  if (!path) return session.print({ agent, unmapped }, () => yaml.trimEnd())
  writeFileSync(path, yaml)
  session.print({ file: path, unmapped }, () => path)
  for (const line of linesOfUnmapped(unmapped)) session.tell(line)
}

async function apply(files: string[], { dryRun, strict, ...options }: FileOptions, command: Command): Promise<void> {
  const { outcomes, session } = await run(
    files,
    { ...options, isDry: Boolean(dryRun), isStrict: Boolean(strict) },
    command,
  )
  const changes = await Promise.all(outcomes.map((one) => linesOfChanges(dryRun ? one.changes : [])))
  session.print({ agents: outcomes }, () =>
    outcomes.flatMap(({ name, outcome }, at) => [
      `${name}: ${dryRun ? `would be ${outcome}` : outcome}`,
      ...changes[at]!,
    ]),
  )
}

async function diff(files: string[], options: FileOptions, command: Command): Promise<void> {
  const { outcomes, session } = await run(files, { ...options, isDry: true, isStrict: false }, command)
  const changes = await Promise.all(outcomes.map((one) => linesOfChanges(one.changes)))
  session.print({ agents: outcomes }, () =>
    outcomes.flatMap(({ name, outcome }, at) =>
      outcome === 'unchanged' ? [] : [`${name}${outcome === 'created' ? ' is not there yet' : ''}`, ...changes[at]!],
    ),
  )
  if (outcomes.some(({ outcome }) => outcome !== 'unchanged')) process.exitCode = EXIT.failed
}

interface Run extends FileOptions {
  isDry: boolean
  isStrict: boolean
}

async function run(files: string[], { isDry, isStrict, ...options }: Run, command: Command) {
  if (options.agent && files.length > 1) throw usageError('--agent is for one file')
  if (options.agent && options.new) throw usageError('--agent and --new exclude each other')
  const session = await openSession(command)
  const read = await Promise.all(
    files.map(async (file) => {
      const agent = await readAgentFile(file, process.env)
      const left = readSkills(agent, file === '-' ? startedIn() : dirname(resolve(startedIn(), file)))
      for (const path of left) session.tell(`${path} is no text and was left out`)
      return { file, agent }
    }),
  )
  const outcomes: Awaited<ReturnType<typeof applyOne>>[] = []
  for (const one of read) {
    const target = await findTarget(session, one.agent.name, options)
    const wanted = { agent: one.agent, agent_id: target ?? null }
    if (isStrict) {
      const { unmapped } = await importFrom(session, one.file, { ...wanted, dry_run: true })
      if (unmapped.length > 0)
        throw new CommandError(`${one.file} cannot be taken whole:\n${linesOfUnmapped(unmapped).join('\n')}`)
    }
    outcomes.push(await applyOne(session, one.file, { ...wanted, dry_run: isDry }))
  }
  return { outcomes, session }
}

type Wanted = Parameters<Session['client']['agents']['import']>[0]

/** @throws DocentError that names the file */
const importFrom = (session: Session, file: string, wanted: Wanted) =>
  session.client.agents.import(wanted).catch((error: unknown) => {
    throw error instanceof DocentError ? new DocentError(`${file}: ${error.message}`, error) : error
  })

async function applyOne(session: Session, file: string, wanted: Wanted) {
  const { outcome, agent, changes, unmapped } = await importFrom(session, file, wanted)
  for (const line of linesOfUnmapped(unmapped)) session.tell(`${file}: ${line}`)
  return { file, name: wanted.agent.name, outcome, agent_id: agent?.id ?? null, changes, unmapped }
}

/** Agent that a file is for; undefined if one is to be made. */
async function findTarget({ client }: Session, name: string, options: FileOptions): Promise<string | undefined> {
  if (options.agent) return (await findAgent(client, options.agent)).id
  if (options.new) return undefined
  const named = await listNamed(client, name)
  return named.length > 0 ? onlyOne(named, 'agent', name).id : undefined
}
