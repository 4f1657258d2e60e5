import { CommandError, EXIT, notFound } from './failures.ts'

/** Whether a text is an id, and no name. */
export const isId = (text: string): boolean => /^[0-9a-f]{24}$/.test(text)

/** The one item that a name stands for. @param kind `agent`, `key` @throws CommandError where there is none, or are several */
export function onlyOne<T extends { id: string }>(named: readonly T[], kind: string, name: string): T {
  if (named.length === 1) return named[0]!
  if (named.length === 0) throw notFound(`There is no ${kind} ${name}`)
  const ids = named.map(({ id }) => id).join(', ')
  throw new CommandError(`Several ${kind}s are named ${name}: name one by its id (${ids})`, EXIT.usage)
}
