import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { type Command, Option } from 'commander'
import { findAgent } from '../agents/find-agent.ts'
import { wholeNumber } from '../drive/search.ts'
import { usageError } from '../failures.ts'
import { firstAndTotal, firstOf } from '../first-of.ts'
import { pathToWrite } from '../path-to-write.ts'
import { openSession } from '../session.ts'
import { inColumns, visible } from '../terminal/table.ts'

const FORMATS = ['md', 'pdf', 'json'] as const

/** Adds `docent threads`. */
export function addThreads(program: Command): void {
  const threads = program.command('threads').description('chats with an agent').helpCommand(false)
  threads
    .command('list')
    .description('list the threads of an agent, newest first')
    .argument('<agent>', 'id or name')
    .option('-n, --limit <number>', 'most threads', wholeNumber, 50)
    .action(async (agent: string, { limit }: { limit: number }, command: Command) => list(agent, limit, command))
  threads
    .command('show')
    .description('print the messages of a thread, oldest first')
    .argument('<agent>', 'id or name')
    .argument('<thread>', 'id')
    .action(async (agent: string, thread: string, _options: object, command: Command) => show(agent, thread, command))
  threads
    .command('export')
    .description('write a thread as Markdown, PDF or JSON')
    .argument('<agent>', 'id or name')
    .argument('<thread>', 'id')
    .argument('[file]', 'file to write; - for standard output', '-')
    .addOption(
      new Option('--format <format>', 'of the document; by default what the name of the file says').choices(FORMATS),
    )
    .option('-f, --force', 'overwrite the file')
    .action(async (agent: string, thread: string, file: string, options: ExportOptions, command: Command) =>
      exportTo({ agent, thread, file }, options, command),
    )
  threads
    .command('delete')
    .description('delete threads with their messages, for good')
    .argument('<agent>', 'id or name')
    .argument('<threads...>', 'ids')
    .action(async (agent: string, ids: string[], _options: object, command: Command) => remove(agent, ids, command))
}

interface ExportOptions {
  format?: (typeof FORMATS)[number]
  force?: boolean
}

async function list(name: string, limit: number, command: Command): Promise<void> {
  const session = await openSession(command)
  const agent = await findAgent(session.client, name)
  const pages = session.client.chats.list(agent.id, { page_size: Math.min(limit, 100) })
  const { items: threads, total } = await firstAndTotal(pages, limit, session)
  session.print({ threads, total }, () =>
    inColumns(threads.map(({ id, created_at, title }) => [id, created_at.slice(0, 10), title])),
  )
}

async function show(name: string, thread: string, command: Command): Promise<void> {
  const session = await openSession(command)
  const agent = await findAgent(session.client, name)
  const messages = await firstOf(session.client.chats.messages.list(agent.id, thread, { page_size: 100 }))
  session.print({ messages }, () =>
    messages.flatMap(({ query, response }) => [`› ${visible(query)}`, '', visible(response ?? ''), '']),
  )
}

async function exportTo(
  { agent: name, thread, file }: { agent: string; thread: string; file: string },
  { format, force = false }: ExportOptions,
  command: Command,
): Promise<void> {
  const ending = FORMATS.find((one) => file.toLowerCase().endsWith(`.${one}`))
  const session = await openSession(command)
  const path = pathToWrite(file, force)
  const wanted = format ?? (session.isJson ? 'json' : (ending ?? 'md'))
  if (!path && wanted === 'pdf' && process.stdout.isTTY) throw usageError('Name a file for the PDF')
  const agent = await findAgent(session.client, name)
  const { body } = await session.client.chats.export(agent.id, thread, wanted)
  const content = body ? Readable.fromWeb(body as ReadableStream) : Readable.from([])
  if (!path) return pipeline(content, process.stdout, { end: false })
  await pipeline(content, createWriteStream(path))
  session.print({ file: path }, () => path)
}

async function remove(name: string, ids: string[], command: Command): Promise<void> {
  const session = await openSession(command)
  const agent = await findAgent(session.client, name)
  for (const id of ids) await session.client.chats.delete(agent.id, id)
  session.print({ deleted: ids }, () => ids)
}
