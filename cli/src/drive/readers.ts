import type { FileReaders, ShownReaders } from '@docent/sdk'
import type { Command } from 'commander'
import { notFound, usageError } from '../failures.ts'
import { openSession } from '../session.ts'
import { findPlace, namesIn, toPath } from './remote-drive.ts'

interface ReadersOptions {
  only?: string[]
  everyone?: boolean
}

/** Adds `docent readers`. */
export function addReaders(program: Command): void {
  program
    .command('readers')
    .description('tell who of those who may read its folder may read a file, or say it')
    .argument('<path>', 'file in the drive')
    .option('--only <names...>', 'e-mails, names of groups, and @example.com for everybody with an address there')
    .option('--everyone', 'whoever may read the folder')
    .action(async (path: string, { only, everyone }: ReadersOptions, command: Command) => {
      if (only && everyone) throw usageError('Say either --only or --everyone')
      const session = await openSession(command)
      const { client } = session
      const place = await findPlace(client, path)
      if (!place) throw notFound(`There is nothing at ${toPath(namesIn(path))}`)
      if (place.kind !== 'file') throw usageError('Only files have readers of their own: name one')
      const [{ knowledge_base_id: folderId, id }] = place.files
      const { readers } = client.dataSources
      const shown = await (only || everyone
        ? readers.set(folderId, id, only ? toReaders(only) : null)
        : readers.get(folderId, id))
      session.print(shown, () => `${toPath(namesIn(path))}: ${describe(shown)}`)
    })
}

const toReaders = (names: readonly string[]): FileReaders => ({
  emails: names.filter((name) => name.indexOf('@') > 0),
  groups: names.filter((name) => !name.includes('@')),
  domains: names.filter((name) => name.startsWith('@')).map((name) => name.slice(1)),
})

function describe({ is_restricted, readers }: ShownReaders): string {
  if (!is_restricted) return 'whoever may read the folder'
  if (!readers) return 'some of those who may read the folder; who manages the folder knows which'
  const names = [...readers.emails, ...readers.groups, ...readers.domains.map((domain) => `@${domain}`)]
  return names.length > 0 ? names.join(', ') : 'nobody but owners and admins'
}
