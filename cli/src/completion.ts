import type { Command } from 'commander'

/** Adds `docent completion`, and the hidden command that its scripts ask. */
export function addCompletion(program: Command, createPlain: () => Command): void {
  /** The library adds its own commands to a program: a fresh one gets them, so that only completion loads it. */
  const run = async () => {
    const { default: tab } = await import('@bomb.sh/tab/commander')
    const plain = createPlain()
    tab(plain, { completionCommandName: 'completion' })
    await plain.parseAsync(process.argv)
  }
  program
    .command('completion')
    .description('print a script that completes commands and options: source <(docent completion bash)')
    .argument('<shell>', 'bash, zsh, fish or powershell')
    .action(run)
  program.command('complete', { hidden: true }).argument('[words...]').allowUnknownOption().action(run)
}
