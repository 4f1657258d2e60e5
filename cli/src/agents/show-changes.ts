import { styleText } from 'node:util'
import { stringify } from 'yaml'
import { visible } from '../terminal/table.ts'

export interface Change {
  path: string
  before?: unknown
  after?: unknown
}

export interface Unmapped {
  path: string
  value: string
  reason: string
}

/** Changes of an agent, line by line: what goes after `-`, what comes after `+`, in colour on a terminal alone. */
export async function linesOfChanges(changes: readonly Change[]): Promise<string[]> {
  const { diffLines } = await import('diff')
  return changes.flatMap(({ path, before, after }) => {
    const parts = diffLines(textOf(before), textOf(after))
    return [
      style('bold', visible(path)),
      ...parts.flatMap(({ value, added, removed }) => {
        const lines = visible(value).replace(/\n$/, '').split('\n')
        if (added) return lines.map((line) => style('green', `+ ${line}`))
        if (removed) return lines.map((line) => style('red', `- ${line}`))
        return shortened(lines).map((line) => `  ${line}`)
      }),
    ]
  })
}

const CONTEXT = 3

/** Lines that stay: only those around a change. */
const shortened = (lines: string[]) =>
  lines.length <= 2 * CONTEXT + 1 ? lines : [...lines.slice(0, CONTEXT), '…', ...lines.slice(-CONTEXT)]

const style = (format: 'bold' | 'green' | 'red', text: string) =>
  process.stdout.isTTY ? styleText(format, text, { stream: process.stdout }) : text

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value : stringify(value, { lineWidth: 0 })
  return text.endsWith('\n') ? text : `${text}\n`
}

/** Lines on what a server could not take. */
export const linesOfUnmapped = (unmapped: readonly Unmapped[]): string[] =>
  unmapped.map(({ path, value, reason }) => visible(`${path}: ${value} ${reason}`))
