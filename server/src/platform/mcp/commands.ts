import { z } from 'zod'
import type { McpCommand } from './target.ts'

const FORM =
  'must be a JSON object like {"files": {"command": "/usr/bin/files-mcp", "args": ["--read-only"]}}, or a list like files=/usr/bin/files-mcp --read-only; git=/usr/bin/git-mcp'

const NAME = /^[a-z0-9_-]{1,32}$/

const Commands = z.record(
  z.string(),
  z.union([
    z.string(),
    z.strictObject({
      command: z.string().min(1),
      args: z.array(z.string()).default([]),
      env: z.record(z.string(), z.string()).default({}),
    }),
  ]),
)

/** The programs that agents may run as MCP servers, by name. @throws Error in an operator's words */
export function parseMcpCommands(text: string): Map<string, McpCommand> {
  const given = text.trim().startsWith('{') ? parseJson(text) : parseList(text)
  return new Map(
    Object.entries(given).map(([name, command]) => {
      if (!NAME.test(name)) throw new Error(`${FORM}; names have 1 to 32 of a-z, 0-9, _ and -`)
      return [name, typeof command === 'string' ? splitLine(command) : command]
    }),
  )
}

function parseJson(text: string): z.infer<typeof Commands> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Error(FORM)
  }
  const result = Commands.safeParse(value)
  if (!result.success) throw new Error(FORM)
  return result.data
}

function parseList(text: string): Record<string, string> {
  const parts = text
    .split(';')
    .map((part) => part.trim())
    .filter(Boolean)
  return Object.fromEntries(
    parts.map((part) => {
      const [, name, line] = /^([^=\s]+)\s*=\s*(\S.*)$/s.exec(part) ?? []
      if (!name || !line) throw new Error(FORM)
      return [name, line]
    }),
  )
}

function splitLine(line: string): McpCommand {
  const [command, ...args] = line.trim().split(/\s+/)
  if (!command) throw new Error(FORM)
  return { command, args, env: {} }
}
