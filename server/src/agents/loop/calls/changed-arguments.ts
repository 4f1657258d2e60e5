import { z } from 'zod'
import { nearestName } from '../../../platform/text/nearest-name.ts'
import type { LoopState, OpenCall } from '../run-state.ts'

/** The call that waits for a person, of whichever agent of the run made it. */
export function waitingCall({ open, child }: LoopState): OpenCall | undefined {
  return open?.review === 'pending' ? open : child && waitingCall(child)
}

/**
 * Problem of arguments that a person gives in place of a model's; undefined if they fit.
 * @param schema JSON Schema, as the model was given it
 */
export function problemWithArguments(
  schema: Record<string, unknown>,
  given: Record<string, unknown>,
): { path: string; message: string } | undefined {
  const known = Object.keys((schema.properties as object | undefined) ?? {})
  // Most tools ignore fields that an open schema does not list, so a misspelt name would silently have no effect.
  const isOpen = (schema.additionalProperties ?? false) !== false || schema.patternProperties !== undefined
  const unknown = isOpen ? undefined : Object.keys(given).find((name) => !known.includes(name))
  if (unknown !== undefined) {
    const near = nearestName(unknown, known)
    const hint = near ? ` (did you mean ${near}?)` : ''
    return { path: unknown, message: `is none of the tool's arguments${hint}` }
  }
  const issue = readSchema(schema)?.safeParse(given).error?.issues[0]
  return issue && { path: issue.path.join('.'), message: issue.message }
}

/** Undefined for a schema that has what zod cannot read: then only the tool itself can judge. */
function readSchema(schema: Record<string, unknown>): z.ZodType | undefined {
  try {
    return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0])
  } catch {
    return undefined
  }
}
