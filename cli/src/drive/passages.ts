import { text as readAll } from 'node:stream/consumers'
import { type DataSource, type Docent, DocentError, type Passage } from '@docent/sdk'
import type { Command } from 'commander'
import { placeOf } from '../ask/answer.ts'
import { CommandError, EXIT, notFound, usageError } from '../failures.ts'
import { openSession } from '../session.ts'
import { inColumns } from '../terminal/table.ts'
import { findPlace, namesIn, toPath } from './remote-drive.ts'

const LONGEST_SHOWN = 100
const PER_PAGE = 100

/** Adds `docent passages`. */
export function addPassages(program: Command): void {
  const passages = program
    .command('passages')
    .description('what searches find of a file, and its changes by hand')
    .helpCommand(false)
  const command = (name: string, about: string) =>
    passages.command(name).description(about).argument('<path>', 'file in the drive')
  command('ls', 'list the passages of a file by their numbers, and what was changed by hand').action(
    async (path: string, _: object, command: Command) => list(path, command),
  )
  command('edit', 'give a passage another text')
    .argument('<number>', 'passage, as docent passages ls lists it')
    .argument('<text>', 'its text; - for standard input')
    .action(async (path: string, number: string, text: string, _: object, command: Command) =>
      change(path, { kind: 'edit', ordinal: toOrdinal(number), text: await readText(text) }, command),
    )
  command('off', 'let searches find a passage no more')
    .argument('<number>', 'passage, as docent passages ls lists it')
    .action(async (path: string, number: string, _: object, command: Command) =>
      change(path, { kind: 'off', ordinal: toOrdinal(number) }, command),
    )
  command('add', 'add a passage of its own')
    .argument('<after>', 'number of the passage that it comes after; 0 for the beginning')
    .argument('<text>', 'its text; - for standard input')
    .action(async (path: string, after: string, text: string, _: object, command: Command) =>
      change(path, { kind: 'add', ordinal: toOrdinal(after, 0), text: await readText(text) }, command),
    )
  command('on', 'take a change back: the passage is again as it was read')
    .argument('<change>', 'id of the change, as docent passages ls lists it')
    .action(async (path: string, id: string, _: object, command: Command) => {
      const { client, print } = await openSession(command)
      const file = await findFile(client, path)
      await client.dataSources.passageEdits.undo(file.knowledge_base_id, file.id, id)
      print({ id, undone: true }, () => 'The passage is again as it was read, as soon as the file is written anew')
    })
}

type Change = Parameters<Docent['dataSources']['passageEdits']['create']>[2]

async function list(path: string, command: Command): Promise<void> {
  const { client, print } = await openSession(command)
  const { knowledge_base_id: folderId, id } = await findFile(client, path)
  const changes = await client.dataSources.passageEdits.list(folderId, id)
  const passages: Passage[] = []
  for (let start: number | null = 0; start !== null; ) {
    const page: Awaited<ReturnType<Docent['dataSources']['text']>> = await client.dataSources.text(folderId, id, {
      start,
      limit: PER_PAGE,
    })
    passages.push(...page.passages)
    start = page.next
  }
  print({ passages, changes }, () => [
    ...inColumns(
      passages.map(({ ordinal, text, location }) => [ordinal + 1, placeOf(location).join(', '), short(text)]),
    ),
    ...(changes.length > 0 ? ['', 'Changed by hand:'] : []),
    ...inColumns(
      changes.map(({ id, kind, state, text, anchor_text }) => [id, kind, state, short(text ?? anchor_text)]),
    ),
  ])
}

async function change(path: string, wanted: Change, command: Command): Promise<void> {
  const { client, print } = await openSession(command)
  const { knowledge_base_id: folderId, id } = await findFile(client, path)
  const made = await client.dataSources.passageEdits.create(folderId, id, wanted).catch((error) => {
    const isBeyond = error instanceof DocentError && error.code === 'PASSAGE_NOT_FOUND'
    if (!isBeyond) throw error
    const message = `${path} has no passage ${wanted.ordinal + 1}: docent passages ls ${path} lists them`
    throw new CommandError(message, EXIT.notFound, { cause: error })
  })
  print(
    made,
    () => `Searches find the change soon${made ? `; docent passages on ${path} ${made.id} takes it back` : ''}`,
  )
}

async function findFile(client: Docent, path: string): Promise<DataSource> {
  const place = await findPlace(client, path)
  if (!place) throw notFound(`There is nothing at ${toPath(namesIn(path))}`)
  if (place.kind !== 'file') throw usageError('Only files have passages: name one')
  return place.files[0]
}

const readText = async (given: string): Promise<string> => (given === '-' ? await readAll(process.stdin) : given)

/** Place of a passage from its number, which counts from 1. */
function toOrdinal(given: string, least = 1): number {
  if (!/^\d{1,9}$/.test(given) || Number(given) < least)
    throw usageError(`A passage is a number from ${least} on, not "${given}"`)
  return Number(given) - 1
}

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > LONGEST_SHOWN ? `${line.slice(0, LONGEST_SHOWN - 1)}…` : line
}
