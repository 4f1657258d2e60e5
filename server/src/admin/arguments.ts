import { type ParseArgsConfig, parseArgs } from 'node:util'
import { adminCommand } from '../platform/host/commands.ts'
import { nearestName } from '../platform/text/nearest-name.ts'
import type { AdminCommand } from './commands.ts'

/** Wrong use of a command, as opposed to a command that could not be carried out. */
export class ArgumentsError extends Error {}

/**
 * Reads what follows the name of a command.
 * A word or option that the command does not take stops it: a slip must not start something that nobody wanted.
 * @throws ArgumentsError
 */
export function readArguments(name: string, { usage, options = {} }: AdminCommand, given: string[]) {
  const { tokens } = parseArgs({ args: given, options, allowPositionals: true, strict: false, tokens: true })
  const most = positionalsOf(usage)
  const problems: string[] = []
  let words = 0
  for (const token of tokens) {
    if (token.kind === 'option') problems.push(...optionProblems(token, options))
    else if (token.kind === 'positional' && ++words > most.length)
      problems.push(`"${token.value}" is one word too many${most.length > 0 ? ` after ${most.join(' ')}` : ''}`)
  }
  if (problems.length > 0)
    throw new ArgumentsError([...problems, `This is right: ${adminCommand(`${name} ${usage}`.trim())}`].join('\n'))
  return parseArgs({ args: given, options, allowPositionals: true })
}

/** Names of the words that a command takes, out of its usage: what is in it outside of options. */
const positionalsOf = (usage: string): string[] => usage.replace(/\[--[^\]]*\]/g, '').match(/\S+/g) ?? []

function optionProblems(
  { name, rawName, value }: { name: string; rawName: string; value?: string | undefined },
  options: NonNullable<ParseArgsConfig['options']>,
): string[] {
  const option = Object.hasOwn(options, name) ? options[name] : undefined
  if (!option) {
    const near = nearestName(name, Object.keys(options))
    return [`There is no option ${rawName}${near ? `; did you mean --${near}?` : ''}`]
  }
  if (option.type === 'boolean') return value === undefined ? [] : [`${rawName} takes no value`]
  return value === undefined || value.startsWith('-') ? [`${rawName} needs a value`] : []
}
