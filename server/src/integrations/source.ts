import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { Readers } from '../access/access.ts'
import type { FileMetadata } from '../drive/drive.ts'
import type { SourceProvider } from '../platform/source-apps.ts'
import type { SourceItems } from './source-items.ts'

/** Settings of every kind of source, beside its own. */
export interface SourceConfig {
  /** Seconds from the end of one sync to the next. */
  interval_seconds: number
}

/** Kind of source that folders are filled from. A new one implements this and is listed in `integrations.ts`. */
export interface SourceKind<C extends SourceConfig = SourceConfig> {
  kind: string
  /** Provider at which people log in; its `config` takes a `connection`, which is one of the secrets. */
  provider?: SourceProvider
  /** `source_type` of the files that it brings. */
  sourceType: string
  /** Schema of a request's settings; the source's own, parsed, are stored. */
  config: z.ZodType<C>
  /** Fields of the configuration that are stored sealed, and that no answer shows; texts. */
  secrets: readonly string[]
  /** Fields that say whom the secrets are sent to: when one changes, the secrets have to be given again. */
  destination: readonly string[]
  /**
   * Looks whether the source is there; called when an integration is made and at the beginning of each sync.
   * @throws SourceUnavailableError
   */
  open(config: C, context: SourceContext): Promise<Source>
}

export interface SourceContext {
  signal: AbortSignal
  /** Tokens of a login that the configuration names. */
  tokensOf(connection: string): SourceTokens
  /** State that it keeps of its items. */
  items: SourceItems
  /** Id of the integration; absent where the source is only tried. */
  id?: string
}

/** Access tokens of a login at a provider. */
export interface SourceTokens {
  /** @param isRefused whether the last one was not accepted @throws SourceUnavailableError */
  get(signal: AbortSignal, isRefused: boolean): Promise<string>
}

export interface Source {
  /**
   * Lists the entries directly in a folder, in any order; the root is `[]`.
   * @throws SourceItemError where this folder cannot be listed, SourceUnavailableError where the whole source cannot.
   */
  list(folder: string[], signal: AbortSignal): AsyncIterable<SourceEntry>
  /** The bytes of a file. @throws SourceItemError, now or while it is read. */
  open(file: string[], signal: AbortSignal): Promise<Readable>
  /**
   * All its files at once, for a source that knows them: equal versions are equal contents. Files that moved to another
   * folder then keep their ids.
   */
  files?(): AsyncIterable<{ path: string[]; version: string }>
  /**
   * Whether a moved file is known by its version alone, because names are numbers that are used again.
   * Versions of files that were brought may then be empty in `files`.
   */
  isKnownByVersion?: boolean
  /** Id that the version of a file holds, for a source that knows files by ids: such a file keeps its id here, too, when it
   * is renamed, moved or changed. */
  idOf?(version: string): string
  /** Called when the files of a folder were brought. @param left names of those that were left out */
  brought?(folder: string[], left: ReadonlySet<string>): Promise<void>
  /** Called when all was brought and nothing left out. */
  ended?(): Promise<void>
  /** Lets go of connections and temporary files. */
  close?(): Promise<void>
}

export type SourceEntry =
  /** `accessProblem`: why all below it may be read by fewer people than there. */
  | { kind: 'folder'; name: string; accessProblem?: string | undefined }
  /** The version differs when the content may differ. */
  | SourceFile
  /** Something that cannot be brought; what an earlier sync brought under this name stays if `isKept`. */
  | { kind: 'problem'; name: string; reason: string; isKept: boolean }
  /** The list is incomplete: items from an earlier sync that it does not name stay, except those in `gone`. */
  | { kind: 'incomplete'; reason?: string; gone: Pick<ReadonlySet<string>, 'has'> }

export interface SourceFile {
  kind: 'file'
  /** Tells it from others of its folder. */
  name: string
  version: string
  sizeBytes: number
  /** Default: its name. */
  fileName?: string
  /** Default: its file name. */
  title?: string
  /** Facts that the source knows of it; what people noted under other keys stays. */
  metadata?: FileMetadata
  /** Readers of it there; null: everybody who may read the folder. Absent: the source does not say. */
  access?: Readers | null | undefined
  /** Reason that `access` lists fewer people than may read it there. */
  accessProblem?: string | undefined
}

/** One file or folder cannot be read; the message completes `"a.txt" (…)`. */
export class SourceItemError extends Error {
  override name = 'SourceItemError'
}

/** Source that cannot be read; the message tells the person who set the integration up what to do. */
export class SourceUnavailableError extends Error {
  override name = 'SourceUnavailableError'
  /** Field of the configuration that is at fault. */
  readonly field: string
  constructor(field: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.field = field
  }
}
