import { existsSync, mkdirSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { ensureFolder, findFolder, namesIn, toPath } from '../drive/remote-drive.ts'
import { NO_EMPTY_FILES, openContent } from '../drive/transfer.ts'
import { CommandError, EXIT, explain, usageError } from '../failures.ts'
import { openSession, type Session, startedIn } from '../session.ts'
import { showProgress } from '../terminal/progress.ts'
import { visible } from '../terminal/table.ts'
import { decide, type Preference, type SideState, type Step, type Trio } from './plan.ts'
import { hashContent, hashFile, listLocal, listRemote, type Skipped } from './sides.ts'
import { createSteps, type Planned } from './steps.ts'
import { lockDirectory, newOrSameState } from './sync-state.ts'
import { watchBothSides } from './watch.ts'

interface SyncOptions {
  prefer?: Exclude<Preference, undefined>
  delete?: boolean
  dryRun?: boolean
  watch?: boolean
  interval: number
}

/** Adds `docent sync`. */
export const addSync = (program: Command) =>
  program
    .command('sync')
    .description('make a directory here and a folder in the drive alike, both ways')
    .argument('<directory>', 'directory here; made if it lacks')
    .argument('<folder>', 'folder in the drive; made if it lacks')
    .addOption(
      new Option('--prefer <side>', 'side that wins where both have changed').choices(['local', 'remote'] as const),
    )
    .option('--delete', 'delete on one side what was deleted on the other')
    .addOption(new Option('--dry-run', 'only tell what would be done').conflicts('watch'))
    .option('--watch', 'go on syncing what changes on either side, until Ctrl+C')
    .addOption(
      new Option('--interval <seconds>', 'with --watch: how often to look for changes in the drive')
        .argParser(toInterval)
        .default(15),
    )
    .action(async (directory: string, folder: string, options: SyncOptions, command: Command) =>
      sync(directory, folder, options, command),
    )

async function sync(given: string, folder: string, options: SyncOptions, command: Command): Promise<void> {
  const names = namesIn(folder)
  if (names.length === 0) throw usageError('Files cannot be at the root: name a folder, for instance drive:/Handbooks')
  const session = await openSession(command)
  const directory = resolve(startedIn(), given)
  if (existsSync(directory) && !statSync(directory).isDirectory()) throw usageError(`${directory} is no directory`)
  const found = await findFolder(session.client, names)
  const isDry = options.dryRun ?? false
  if (!existsSync(directory)) {
    if (!found) throw new CommandError(`There is neither ${directory} nor ${toPath(names)}`, EXIT.notFound)
    if (!isDry) mkdirSync(directory, { recursive: true })
  }
  const folderId = found?.id ?? (isDry ? undefined : (await ensureFolder(session.client, names)).id)
  const unlock = isDry ? () => {} : lockDirectory(directory)
  try {
    const sides = { directory, folderId, options, isDry }
    await (options.watch ? syncOnChanges(session, sides) : syncWith(session, sides))
  } finally {
    unlock()
  }
}

function toInterval(text: string): number {
  const seconds = Number(text)
  if (/^\d{1,5}$/.test(text) && seconds >= 1 && seconds <= 86_400) return seconds
  throw new InvalidArgumentError('It is a number of seconds, from 1 to 86400.')
}

/** Syncs, and again after each change on either side. A sync that fails, as while the server is away, is tried again. */
async function syncOnChanges(session: Session, sides: Sides): Promise<void> {
  const { directory, options } = sides
  const changes = watchBothSides(directory, {
    everyMs: options.interval * 1000,
    onBlind: (reason) =>
      session.tell(`changes here are looked for every ${options.interval} s: the system cannot watch: ${reason}`),
  })
  try {
    session.tell(`watching ${directory}; Ctrl+C ends it`)
    let lastReport = ''
    do {
      try {
        lastReport = await syncWith(session, sides, lastReport)
      } catch (error) {
        const { text } = explain(error)
        if (text !== lastReport) session.tell(`${text}; it is tried again`)
        lastReport = text
      }
    } while (await changes.next())
  } finally {
    changes.close()
  }
  process.exitCode = 0
}

interface Sides {
  directory: string
  /** Undefined for a dry run with a folder that is not there. */
  folderId: string | undefined
  options: SyncOptions
  isDry: boolean
}

/**
 * Syncs once and tells the outcome, unless it is what was told before and nothing was done.
 * @returns what was told of files that are not alike
 */
async function syncWith(
  session: Session,
  { directory, folderId, options, isDry }: Sides,
  toldBefore?: string,
): Promise<string> {
  const state = newOrSameState(directory, session.url, folderId ?? '')
  const local = existsSync(directory) ? await listLocal(directory) : { files: new Map(), skipped: [] }
  const remote = folderId
    ? await listRemote(session.client, folderId)
    : { files: new Map(), skipped: [], folderIds: new Map() }
  const keys = new Set([...local.files.keys(), ...remote.files.keys(), ...state.files.keys()])
  const result = emptyResult([...local.skipped, ...remote.skipped])
  const steps = createSteps({ session, directory, state, folderIds: remote.folderIds })
  const planned: Planned[] = []
  for (const key of [...keys].sort()) {
    const trio: Trio = { local: local.files.get(key), remote: remote.files.get(key), known: state.files.get(key) }
    const path = (trio.local ?? trio.remote)?.names.join('/') ?? key
    const wanted = await stepFor(session, trio, options)
    const isEmpty = wanted === 'upload' && trio.local?.size === 0
    const step = isEmpty ? { skip: NO_EMPTY_FILES } : wanted
    if (typeof step === 'object') {
      if ('conflict' in step) result.conflicts.push({ path, reason: step.conflict })
      else result.skipped.push({ path, reason: step.skip })
    } else if (step !== 'nothing') planned.push({ key, path, step, ...trio })
  }
  if (!isDry) {
    state.compact()
    const progress = showProgress('Syncing', planned.length)
    let done = 0
    await steps
      .carryOut(planned, (one, failure) => {
        progress.update(++done, one.path)
        if (failure) result.failed.push({ path: one.path, reason: failure })
      })
      .finally(progress.end)
    state.compact()
  }
  const unlike = JSON.stringify(result)
  const isNews = unlike !== toldBefore || planned.some(({ step }) => step !== 'nothing')
  if (isNews) tell(session, result, planned, isDry)
  return unlike
}

const emptyResult = (skipped: Skipped[]) => ({
  conflicts: [] as Skipped[],
  skipped,
  failed: [] as Skipped[],
})

async function stepFor(
  { client }: Session,
  { local, remote, known }: Trio,
  { prefer, delete: isDeleting = false }: SyncOptions,
): Promise<Step> {
  let hash: Promise<string> | undefined
  const localHash = () => (hash ??= hashFile(local!.path))
  const isLocalSame =
    local !== undefined &&
    known !== undefined &&
    local.size === known.size &&
    (local.modifiedMs === known.modifiedMs || (await localHash()) === known.hash)
  const isRemoteSame = remote?.file.id === known?.id && remote?.file.version === known?.version
  const stateOf = (side: unknown, isSame: boolean): SideState =>
    side === undefined ? 'gone' : isSame ? 'same' : 'changed'
  // A file that was never synced is new on the side that has it.
  if (!known && !remote) return 'upload'
  if (!known && !local) return 'download'
  return decide(
    {
      local: stateOf(local, isLocalSame),
      remote: stateOf(remote, isRemoteSame),
      isEqual: async () =>
        local!.size === remote!.file.size_bytes &&
        (await localHash()) === (await hashContent(await openContent(client, remote!.file))),
    },
    { prefer, isDeleting },
  )
}

const VERBS: Partial<Record<Extract<Step, string>, string>> = {
  upload: 'upload',
  download: 'download',
  'delete local': 'delete here',
  'delete remote': 'delete in the drive',
}

function tell(session: Session, result: ReturnType<typeof emptyResult>, planned: Planned[], isDry: boolean): void {
  const failed = new Set(result.failed.map(({ path }) => path))
  const done = (step: Step) =>
    planned.filter((one) => one.step === step && !failed.has(one.path)).map(({ path }) => path)
  const value = {
    dry_run: isDry,
    uploaded: done('upload'),
    downloaded: done('download'),
    deleted_here: done('delete local'),
    deleted_in_drive: done('delete remote'),
    ...result,
  }
  session.print(value, () => {
    const lines = planned.flatMap(({ step, path }) => {
      const verb = VERBS[step as Extract<Step, string>]
      return verb && !failed.has(path) ? [`${verb}: ${visible(path)}`] : []
    })
    const isAlike = [result.conflicts, result.skipped, result.failed].every(({ length }) => length === 0)
    return lines.length === 0 && isAlike ? 'Both sides are alike' : lines
  })
  for (const { path, reason } of result.skipped) session.tell(`left alone: ${visible(path)} ${reason}`)
  for (const { path, reason } of result.conflicts)
    session.tell(`conflict: ${visible(path)} ${reason}: decide with --prefer local or --prefer remote`)
  for (const { path, reason } of result.failed) session.tell(`failed: ${visible(path)}: ${reason}`)
  if (result.conflicts.length + result.failed.length > 0) process.exitCode = EXIT.failed
}
