import { styleText } from 'node:util'
import type { SearchHit } from '@docent/sdk'
import { type Command, InvalidArgumentError } from 'commander'
import { placeOf } from '../ask/answer.ts'
import { notFound, usageError } from '../failures.ts'
import { openSession } from '../session.ts'
import { findFolder, listFolders, namesIn, toPath } from './remote-drive.ts'

/** Adds `docent search`. */
export const addSearch = (program: Command) =>
  program
    .command('search')
    .description('find the passages that fit a question best')
    .argument('<query>', 'the question, in quotes')
    .argument('[path]', 'folder to search, with all below it; without one everything')
    .option('-n, --limit <number>', 'most passages', wholeNumber, 5)
    .action(async (query: string, path: string | undefined, { limit }: { limit: number }, command: Command) => {
      if (!query.trim()) throw usageError('What is to be found? Put it in quotes')
      await search(query, path, limit, command)
    })

/** @throws InvalidArgumentError */
export function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It has to be a whole number above 0.')
}

async function search(query: string, path: string | undefined, limit: number, command: Command): Promise<void> {
  const session = await openSession(command)
  const { client } = session
  const names = namesIn(path ?? '/')
  const folder = names.length > 0 ? await findFolder(client, names) : undefined
  if (names.length > 0 && !folder) throw notFound(`There is no folder ${toPath(names)}`)
  const folders = folder ? [folder] : await listFolders(client, undefined)
  const found = await Promise.all(folders.map(({ id }) => client.knowledgeBases.search(id, { query, limit })))
  const hits = found
    .flat()
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
  session.print({ results: hits }, () => hits.flatMap(linesOf))
}

const linesOf = ({ title, text, location }: SearchHit, at: number): string[] => [
  ...(at > 0 ? [''] : []),
  styleText('bold', [title, ...placeOf(location)].join(', ')),
  text.replace(/[^\P{Cc}\n\t]/gu, ' ').trim(),
]
