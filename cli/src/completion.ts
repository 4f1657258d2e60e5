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

/** Adds `docent completion`, and the hidden command that its scripts ask. */
export function addCompletion(program: Command, createPlain: () => Command): void {
  /** The library adds its own commands to a program: a fresh one gets them, so that only completion loads it. */
  const run = async () => {
    const { default: tab } = await import('@bomb.sh/tab/commander')
    const plain = createPlain()
    offerEverywhere(plain, plain.options)
    tab(plain, { completionCommandName: 'completion' })
    await plain.parseAsync(process.argv)
  }
  program
    .command('completion')
    .description('print a script that completes commands and options: source <(docent completion bash)')
    .argument('<shell>', 'bash, zsh, fish or powershell')
    .action(async (shell: string) => {
      if (shell === 'bash') console.log(WORDS_OF_BASH)
      await run()
    })
  program.command('complete', { hidden: true }).argument('[words...]').allowUnknownOption().action(run)
}

/** Gives commands the options of the program, which may stand anywhere, while the library knows those of a command alone. */
function offerEverywhere(command: Command, options: readonly Option[]): void {
  for (const child of command.commands) {
    const own = child.options.map(({ long }) => long)
    for (const option of options) if (option.long !== '--version' && !own.includes(option.long)) child.addOption(option)
    offerEverywhere(child, options)
  }
}
