import { z } from 'zod'
import type { Sandbox } from '../../content/sandbox/sandbox.ts'
import type { SandboxResult } from '../../content/sandbox/sandbox-messages.ts'
import { dataSection } from './quote.ts'
import { defineTool, ToolError } from './tool.ts'

const MOST_CODE = 100_000
const MOST_INPUT = 1_000_000

/** Computes what a model would have to guess: sums, dates, sorting, counting, converting. */
export const runJavaScript = (sandbox: Sandbox) =>
  defineTool({
    name: 'run_javascript',
    description: `Runs JavaScript (ES2023) in an empty sandbox and returns what it prints and the value of its last expression; top-level await and return work. Use it for every calculation, and to sort, count, compare or convert data. There is no network, no files, no modules, no timers, no Intl, and nothing is kept between calls. At most 5 seconds, 64 MB and 20,000 characters of output.`,
    arguments: z.object({
      code: z.string().min(1).max(MOST_CODE).describe('The code'),
      input: z
        .string()
        .max(MOST_INPUT)
        .optional()
        .describe('Data for the code, which finds it as `input`: parsed if it is JSON, else as the text that it is'),
    }),
    timeoutMs: 60_000,
    isReadOnly: true,
    async run({ code, input }, { run: { organizationId }, signal }) {
      const result = await sandbox.run(code, input, { organizationId, signal })
      const shown = textOf(result)
      const marked = dataSection({ from: 'run_javascript' }, shown)
      if (result.error !== undefined) throw new ToolError(shown, { content: `The code failed.\n${marked}` })
      return {
        content: marked,
        preview: { title: 'JavaScript', content: shown.slice(0, 2000), content_type: 'text' },
      }
    },
  })

function textOf({ console, isCut, value, error }: SandboxResult): string {
  const parts: string[] = []
  if (console.length > 0) parts.push(`Printed:\n${console.join('\n')}`)
  if (value !== undefined) parts.push(`Value:\n${value}`)
  if (isCut) parts.push('(The output is longer than 20,000 characters; the rest was left out.)')
  if (error !== undefined) parts.push(error)
  return (
    parts.join('\n\n') || 'The code printed nothing and has no value: end it with an expression, or print something.'
  )
}
