import { posix } from 'node:path'
import { parseSync } from 'oxc-parser'

/** One import, re-export or dynamic import; both ends as paths in the repository, or `target` as a package's name. */
export interface Import {
  source: string
  target: string
  line: number
  /** Whether it imports types only, of which nothing is left at run time. */
  isTypeOnly: boolean
}

/** Everything that a TypeScript or JavaScript file imports, types included. `path` is relative to the repository. */
export function importsOf(path: string, text: string): Import[] {
  const { staticImports, staticExports, dynamicImports } = parseSync(path, text).module
  const requests = [
    ...staticImports.map(({ moduleRequest, entries }) => ({ ...moduleRequest, isTypeOnly: areTypes(entries) })),
    ...staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType }) => (moduleRequest ? { ...moduleRequest, isTypeOnly: isType } : [])),
    ),
    ...dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
      const value = /^(['"`])(.*)\1$/s.exec(text.slice(start, end))?.[2]
      return value === undefined ? [] : { value, start, isTypeOnly: false }
    }),
  ]
  return requests.map(({ value, start, isTypeOnly }) => ({
    source: path,
    target: value.startsWith('.') ? posix.join(posix.dirname(path), value) : value,
    line: text.slice(0, start).split('\n').length,
    isTypeOnly,
  }))
}

const areTypes = (entries: { isType: boolean }[]) => entries.length > 0 && entries.every(({ isType }) => isType)
