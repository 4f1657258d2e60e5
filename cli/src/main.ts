#!/usr/bin/env node
import { CommanderError } from 'commander'
import { EXIT, explain } from './failures.ts'
import { createProgram } from './program.ts'

// A reader of the output may close the pipe: `docent ls | head`.
process.stdout.on('error', () => process.exit(0))

try {
  await createProgram().parseAsync(process.argv)
} catch (error) {
  // Commander has said what is wrong, or given the help that was asked for.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : EXIT.usage
  else {
    const { exitCode, text, code } = explain(error)
    const isJson = process.argv.includes('--json')
    console.error(isJson ? JSON.stringify({ error: { code: code ?? null, message: text } }) : text)
    process.exitCode = exitCode
  }
}
