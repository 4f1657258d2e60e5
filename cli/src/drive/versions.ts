import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { DataSource, Docent } from '@docent/sdk'
import type { Command } from 'commander'
import { notFound, usageError } from '../failures.ts'
import { pathToWrite } from '../path-to-write.ts'
import { openSession } from '../session.ts'
import { inColumns, sizeOf } from '../terminal/table.ts'
import { findPlace, namesIn, toPath } from './remote-drive.ts'

interface VersionsOptions {
  get?: string
  to?: string
  force?: boolean
}

/** Adds `docent versions` and `docent restore`. */
export function addVersions(program: Command): void {
  program
    .command('versions')
    .description('list the contents that a file has and had, or download one')
    .argument('<path>', 'file in the drive')
    .option('--get <number>', 'download this version')
    .option('--to <file>', 'file here for the download; - for standard output, as without it')
    .option('-f, --force', 'overwrite a file that is here')
    .action(async (path: string, options: VersionsOptions, command: Command) => versions(path, options, command))
  program
    .command('restore')
    .description('give a file the content of an earlier version again, as a new version')
    .argument('<path>', 'file in the drive')
    .argument('<number>', 'version, as docent versions lists them')
    .option('--wait', 'wait until it can be searched')
    .action(async (path: string, number: string, { wait }: { wait?: boolean }, command: Command) => {
      const session = await openSession(command)
      const file = await findFile(session.client, path)
      const { client } = session
      const restored = await client.dataSources.versions.restore(file.knowledge_base_id, file.id, toNumber(number))
      if (wait) await client.knowledgeBases.waitUntilIndexed(file.knowledge_base_id, { dataSourceIds: [file.id] })
      session.print(
        restored,
        () => `${toPath(namesIn(path))} has version ${number} again, as version ${restored.version}`,
      )
    })
}

async function versions(path: string, { get, to, force = false }: VersionsOptions, command: Command): Promise<void> {
  if (to !== undefined && get === undefined)
    throw usageError('Say which version: docent versions PATH --get 2 --to FILE')
  const session = await openSession(command)
  const { client } = session
  const file = await findFile(client, path)
  const { knowledge_base_id: folderId, id } = file
  if (get === undefined) {
    const found = await client.dataSources.versions.list(folderId, id)
    return session.print({ versions: found }, () => inColumns(found.map(toRow)))
  }
  const target = pathToWrite(to ?? '-', force)
  const { body } = await client.dataSources.versions.content(folderId, id, toNumber(get))
  const content = body ? Readable.fromWeb(body as import('node:stream/web').ReadableStream) : Readable.from([])
  if (target) await pipeline(content, createWriteStream(target))
  else await pipeline(content, process.stdout, { end: false })
}

type Version = Awaited<ReturnType<Docent['dataSources']['versions']['list']>>[number]

const toRow = (one: Version): string[] => [
  String(one.version),
  one.created_at.slice(0, 16).replace('T', ' '),
  sizeOf(one.size_bytes),
  one.origin,
  one.api_key_name ?? '',
  [one.is_current && 'current', one.is_found && 'found'].filter(Boolean).join(', '),
]

async function findFile(client: Docent, path: string): Promise<DataSource> {
  const place = await findPlace(client, path)
  if (!place) throw notFound(`There is nothing at ${toPath(namesIn(path))}`)
  if (place.kind !== 'file') throw usageError('Only files have versions: name one')
  return place.files[0]
}

function toNumber(given: string): number {
  if (!/^[1-9]\d{0,8}$/.test(given)) throw usageError(`A version is a number from 1 on, not "${given}"`)
  return Number(given)
}
