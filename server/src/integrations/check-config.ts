import { invalidFields } from '../platform/errors.ts'
import { problemsOf } from '../platform/http/validation/issue-places.ts'
import {
  type Source,
  type SourceConfig,
  type SourceContext,
  SourceItemError,
  type SourceKind,
  SourceUnavailableError,
} from './source.ts'
import { noItems } from './source-items.ts'

const TEST_MS = 20_000
const SAMPLE = 10

/** The first entries at the root of a source. */
export interface SourceSample {
  name: string
  kind: 'file' | 'folder'
}

/** @throws ValidationError */
export function requireKind(kinds: readonly SourceKind[], wanted: string): SourceKind {
  const kind = kinds.find(({ kind }) => kind === wanted)
  if (kind) return kind
  throw invalidFields([{ path: 'kind', message: `must be one of: ${kinds.map(({ kind }) => kind).join(', ')}` }])
}

/** The configuration as the kind's schema leaves it. @throws ValidationError */
export function parseConfig(kind: SourceKind, given: Record<string, unknown>): SourceConfig {
  const config = kind.config.safeParse(given)
  if (config.success) return config.data
  throw invalidFields(problemsOf(config.error, 'config'))
}

/** Reads the beginning of a source. @throws ValidationError for one that is not there, or does not answer in time */
export async function trySource(
  kind: SourceKind,
  config: SourceConfig,
  { tokensOf }: Pick<SourceContext, 'tokensOf'>,
): Promise<SourceSample[]> {
  const signal = AbortSignal.timeout(TEST_MS)
  const refuse = (field: string, message: string) => invalidFields([{ path: `config.${field}`, message }])
  const [destination = Object.keys(config)[0] ?? ''] = kind.destination
  try {
    const source = await kind.open(config, { signal, items: noItems, tokensOf })
    try {
      return await takeSample(source, signal)
    } finally {
      await source.close?.()
    }
  } catch (error) {
    if (error instanceof SourceUnavailableError) throw refuse(error.field, error.message)
    if (error instanceof SourceItemError) throw refuse(destination, error.message)
    if (signal.aborted) throw refuse(destination, `did not answer within ${TEST_MS / 1000} seconds`)
    throw error
  }
}

/** The first entries; those that came in time, where others take long. */
async function takeSample(source: Source, signal: AbortSignal): Promise<SourceSample[]> {
  const sample: SourceSample[] = []
  try {
    for await (const entry of source.list([], signal)) {
      if (entry.kind === 'folder') sample.push({ name: entry.name, kind: 'folder' })
      if (entry.kind === 'file') sample.push({ name: entry.title ?? entry.name, kind: 'file' })
      if (sample.length === SAMPLE) break
    }
  } catch (error) {
    if (!signal.aborted || sample.length === 0) throw error
  }
  return sample
}

/**
 * The settings after a change: fields that are given replace, null takes one away, secrets that are left out or come
 * back masked stay.
 * @throws ValidationError where a secret would be sent to another place than it was given for
 */
export function changeConfig(
  { secrets, destination }: SourceKind,
  before: Record<string, unknown>,
  changes: Record<string, unknown>,
): Record<string, unknown> {
  const given = Object.entries(changes).filter(([field, value]) => !(secrets.includes(field) && value === MASK))
  const after = Object.fromEntries(
    Object.entries({ ...before, ...Object.fromEntries(given) }).filter(([, value]) => value !== null),
  )
  const moved = destination.find((field) => after[field] !== before[field])
  const names = given.map(([field]) => field)
  const missing = moved ? secrets.filter((field) => after[field] !== undefined && !names.includes(field)) : []
  if (missing.length > 0)
    throw invalidFields(
      missing.map((field) => ({ path: `config.${field}`, message: `must be given again, because ${moved} changes` })),
    )
  return after
}

/** Login that a configuration names. */
export const connectionIn = (config: object): string | undefined => (config as { connection?: string }).connection

/** Shown in the place of a secret. */
export const MASK = '••••••••'
