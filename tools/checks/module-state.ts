import { type Expression, parseSync } from 'oxc-parser'

const COLLECTIONS = ['Array', 'LRUCache', 'Map', 'Set']

/** Names of a module's own variables that can change: `let`, and collections that begin empty. */
export function moduleState(path: string, text: string): string[] {
  const { program } = parseSync(path, text)
  const names: string[] = []
  for (const statement of program.body) {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (declared?.type !== 'VariableDeclaration') continue
    for (const { id, init } of declared.declarations)
      if (declared.kind !== 'const' || beginsEmpty(init)) names.push(id.type === 'Identifier' ? id.name : '?')
  }
  return names
}

/** Whether it is a collection that is filled later; one that is looked up by objects does not count, and ends with them. */
function beginsEmpty(value: Expression | null): boolean {
  if (value?.type === 'ArrayExpression') return value.elements.length === 0
  if (value?.type === 'ObjectExpression') return value.properties.length === 0
  if (value?.type !== 'NewExpression' || value.callee.type !== 'Identifier') return false
  const { name } = value.callee
  return COLLECTIONS.includes(name) && (name === 'LRUCache' || value.arguments.length === 0)
}
