import { z } from 'zod'

export const Model = z.string().min(1).max(256)
export const FileId = z.string().regex(/^[0-9a-f]{24}$/, 'must be the id of a file that POST /v1/uploaded-files gave')

/** List that has to be empty or left out. */
export const none = (why: string) => z.array(z.unknown()).max(0, `cannot be given: ${why}`).nullish()

/** Leaves out tools that the agent is told not to call: a client whose chat had some sends them on. */
export const withoutUnusedTools = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((body) => {
    const isUnused = (body as { tool_choice?: unknown } | null)?.tool_choice === 'none'
    return isUnused ? { ...(body as object), tools: null } : body
  }, schema)

/** Form of an answer: the standard has others. */
export const TextFormat = z.object({
  type: z.literal('text', 'must be text: agents answer in Markdown, not by a schema'),
})

/** Name by which an application knows a person: an e-mail, or whatever it has instead. */
export const PersonName = z.string().trim().min(1).max(200).nullish()
