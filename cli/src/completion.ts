import type { Command, Option } from 'commander'

/** Function of the package bash-completion that the script for bash asks, for shells without that package. */
const WORDS_OF_BASH = `if ! declare -F _get_comp_words_by_ref > /dev/null; then
    _get_comp_words_by_ref() {
        words=("\${COMP_WORDS[@]}")
        cword=$COMP_CWORD
        cur=\${words[cword]}
        prev=\${words[cword > 0 ? cword - 1 : 0]}
    }
fi
`

/** Directive of the library's scripts: the shell offers names of files. */
const FILES = ':0'

/** Adds `docent completion`, and the hidden command that its scripts ask. */
export function addCompletion(program: Command, createPlain: () => Command): void {
  const description = 'print a script that completes commands and options: source <(docent completion bash)'
  /** The library adds its own commands to a program: a fresh one gets them, so that only completion loads it. */
  const said = async (argv: string[]) => {
    const { default: tab } = await import('@bomb.sh/tab/commander')
    const plain = createPlain()
    offerEverywhere(plain, plain.options)
    const offered = tab(plain, { completionCommandName: 'completion' })
    offered.commands.get('completion')!.description = description
    return { plain, lines: await linesOf(() => plain.parseAsync(argv)) }
  }
  program
    .command('completion')
    .description(description)
    .argument('<shell>', 'bash, zsh, fish or powershell')
    .action(async (shell: string) => {
      const { lines } = await said(process.argv)
      const script = lines.join('\n')
      console.log(shell === 'bash' ? forBash(script, program.name()) : script)
    })
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .allowUnknownOption()
    .action(async (words: string[]) => {
      const { plain, lines } = await said(process.argv)
      // After one dash the library offers the short options alone, and every option begins with it.
      const long = words.at(-1) === '-' ? (await said([...process.argv.slice(0, -1), '--'])).lines.slice(0, -1) : []
      console.log(offersOf([...long, ...lines], takesFiles(plain, words)).join('\n'))
    })
}

/** Lines that an action prints. */
async function linesOf(act: () => Promise<unknown>): Promise<string[]> {
  const lines: string[] = []
  const { log } = console
  console.log = (line: string) => lines.push(line)
  try {
    await act()
  } finally {
    console.log = log
  }
  return lines
}

/**
 * Script that the same shell can read again, and that lets it complete names of files where nothing else is offered.
 */
const forBash = (script: string, name: string): string =>
  `${WORDS_OF_BASH}\n${script.replaceAll(/^readonly /gm, '')}\ncomplete -o default -F __${name}_complete ${name}`

/**
 * Lines for the scripts: what can follow, each with its description behind a tab, and at last a directive.
 * A name without a description has no tab: zsh would show the dashes of one that is empty.
 */
function offersOf(lines: string[], takesFiles: boolean): string[] {
  const offers = lines.slice(0, -1).map((line) => line.replace(/\t$/, ''))
  const directive = offers.length === 0 && takesFiles ? FILES : lines.at(-1)!
  return [...offers, directive]
}

/** Whether the last of the words may name a file: it is no option, and no command of a group. */
function takesFiles(program: Command, words: string[]): boolean {
  if (words.at(-1)?.startsWith('-')) return false
  let command = program
  for (const word of words.slice(0, -1)) command = command.commands.find((one) => one.name() === word) ?? command
  return command.commands.length === 0
}

/**
 * Gives commands the options of the program, which may be anywhere, while the library knows those of a command alone.
 */
function offerEverywhere(command: Command, options: readonly Option[]): void {
  for (const child of command.commands) {
    const own = child.options.map(({ long }) => long)
    for (const option of options) if (option.long !== '--version' && !own.includes(option.long)) child.addOption(option)
    offerEverywhere(child, options)
  }
}
