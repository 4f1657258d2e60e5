import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { startCommand } from '../platform/host/commands.ts'
import { nearestName } from '../platform/text/nearest-name.ts'
import { type Setting, type SettingName, type SettingValues, settings } from './settings.ts'

/** Wrong settings, a line each. */
export class SettingsError extends Error {
  override name = 'SettingsError'
  readonly problems: string[]
  constructor(problems: string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

export type Env = Record<string, string | undefined>

/**
 * The environment over an optional `.env` in the folder from which the process was started.
 * @throws SettingsError for a `.env` that cannot be read.
 */
export function readEnv(path = '.env', env: Env = process.env): Env {
  if (!existsSync(path)) return { ...env }
  try {
    return { ...parseEnv(readFileSync(path, 'utf8')), ...env }
  } catch (error) {
    throw new SettingsError([`${path}: cannot be read (${(error as NodeJS.ErrnoException).code})`])
  }
}

/**
 * Checks every setting. An empty value counts as absent.
 * @throws SettingsError with all problems at once.
 */
export function checkSettings(env: Env): SettingValues {
  const problems = unknownNames(env)
  const values: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries(settings) as [SettingName, Setting][]) {
    try {
      const given = readValue(name, setting, env)
      const result = setting.schema.safeParse(given === '' ? undefined : given)
      if (result.success) values[name] = result.data
      else problems.push(problem(name, setting, given, result.error.issues[0]?.message ?? 'is not valid'))
    } catch (error) {
      problems.push((error as Error).message)
    }
  }
  if (problems.length > 0) throw new SettingsError(problems)
  return values as SettingValues
}

function readValue(name: string, setting: Setting, env: Env): string | undefined {
  const path = setting.isSecret ? env[`${name}_FILE`] : undefined
  if (!path) return env[name]
  if (env[name]) throw new Error(`${name}: is set, and ${name}_FILE too; keep one of them`)
  let content: string
  try {
    content = readFileSync(path, 'utf8').trim()
  } catch {
    throw new Error(`${name}_FILE: the file "${path}" cannot be read`)
  }
  if (content === '') throw new Error(`${name}_FILE: the file "${path}" is empty`)
  return content
}

function problem(name: string, setting: Setting, given: string | undefined, message: string): string {
  const shown = setting.isSecret || given === undefined ? '' : ` (it is "${given}")`
  const reason = message.startsWith('Invalid') ? `must be one of: ${setting.about.split('.')[0]}` : message
  return `${name}: ${reason}${shown}`
}

function unknownNames(env: Env): string[] {
  const known = Object.keys(settings).filter((name) => name.startsWith('DOCENT_'))
  return Object.keys(env)
    .filter((name) => name.startsWith('DOCENT_') && !isKnown(name))
    .map((name) => {
      const near = nearestName(name, known)
      return `${name}: there is no such setting${near ? `; did you mean ${near}?` : ` (${startCommand('--help')} lists them)`}`
    })
}

const isKnown = (name: string): boolean =>
  name in settings ||
  (name.endsWith('_FILE') && (settings as Record<string, Setting>)[name.slice(0, -'_FILE'.length)]?.isSecret === true)
