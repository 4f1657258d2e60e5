import { prettifyError, ZodError } from 'zod'
import { ArgumentsError, readArguments } from './admin/arguments.ts'
import { adminCommands } from './admin/commands.ts'
import { checkedConfig } from './admin/context.ts'
import { requireInstallation } from './admin/require-installation.ts'
import { checkDescriptors } from './platform/host/descriptors.ts'
import { keepNewFilesPrivate } from './platform/host/private-files.ts'
import { nearestName } from './platform/text/nearest-name.ts'
import { VERSION } from './version.ts'

/** `npm run --silent admin -- COMMAND ...`: an operator's commands, on the settings of the server, which may be running. */
async function main(): Promise<void> {
  const [name = 'help', ...rest] = process.argv.slice(2)
  if (name === '--version') return console.log(VERSION)
  const command = Object.hasOwn(adminCommands, name) ? adminCommands[name] : undefined
  const isHelp = name === 'help' || name === '--help'
  if (!command || rest.includes('--help')) {
    if (!command && !isHelp) console.error(unknownCommand(name))
    for (const [known, { usage, about }] of Object.entries(command ? { [name]: command } : adminCommands))
      console.error(`${known} ${usage}\n    ${about}`)
    process.exitCode = command || isHelp ? 0 : 2
    return
  }
  const { values, positionals } = readArguments(name, command, rest)
  checkDescriptors()
  keepNewFilesPrivate()
  const config = checkedConfig()
  if (!command.beginsEmpty) await requireInstallation(config)
  const result = await command.run(config, positionals, values)
  console.log(typeof result === 'string' ? result : JSON.stringify(result))
  // A nightly job notices.
  if ((result as { healthy?: boolean }).healthy === false) process.exitCode = 1
}

function unknownCommand(name: string): string {
  const meant = nearestName(name, Object.keys(adminCommands))
  return `There is no command "${name}"${meant ? `; did you mean ${meant}?` : '.'} These there are:`
}

main().catch((error) => {
  console.error(
    error instanceof ZodError ? prettifyError(error) : error instanceof Error ? error.message : String(error),
  )
  process.exitCode = error instanceof ArgumentsError ? 2 : 1
})
