#!/usr/bin/env node
import { CommanderError } from 'commander'
import { explain, explainUsage } from './failures.ts'
import { createProgram } from './program.ts'

// A reader of the output may close the pipe: `docent ls | head`.
process.stdout.on('error', () => process.exit(0))

const isJson = process.argv.includes('--json')

try {
  await createProgram({ isQuiet: isJson }).parseAsync(process.argv)
} catch (error) {
  const { exitCode, text, code } = error instanceof CommanderError ? explainUsage(error) : explain(error)
  if (isJson && exitCode !== 0) console.error(JSON.stringify({ error: { code, message: text } }))
  // Commander has said what is wrong, or given the help that was asked for.
  else if (!(error instanceof CommanderError)) console.error(text)
  process.exitCode = exitCode
}
