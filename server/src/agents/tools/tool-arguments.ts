import { z } from 'zod'
import type { ToolCall } from '../../platform/models/model.ts'
import { type Tool, ToolError } from './tool.ts'

/** @throws ToolError */
export function readArguments(tool: Tool, text: string): unknown {
  const value = jsonOf(text)
  if (value === undefined)
    throw new ToolError('The arguments are not valid JSON. Call the tool again with valid arguments.')
  const result = tool.arguments.safeParse(value)
  if (!result.success) throw new ToolError(`The arguments are not valid: ${z.prettifyError(result.error)}`)
  return result.data
}

/** The arguments as they are shown to people; undefined for what is no JSON object. */
export const argumentsOf = ({ arguments: text }: ToolCall): Record<string, unknown> | undefined => objectIn(text)

/** The JSON object in a text; undefined for anything else. */
export function objectIn(text: string): Record<string, unknown> | undefined {
  const value = jsonOf(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text || '{}')
  } catch {
    return undefined
  }
}
