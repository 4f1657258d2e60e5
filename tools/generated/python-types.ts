import type { Schema } from './schema-types.ts'

/** Types of Python for the schemas of an API description: a TypedDict for each object, an alias for the rest. */
export function pythonTypes(schemas: Record<string, Schema>) {
  const written = new Map<string, string>()
  for (const [name, schema] of Object.entries(schemas)) declare(name, schema)

  function declare(name: string, schema: Schema): void {
    written.set(name, '')
    if (schema.properties) written.set(name, dictOf(name, schema))
    else {
      const type = typeOf(schema, name)
      const isKnown = /^(str|int|float|bool|Literal\[.*\])( \| None)?$/.test(type)
      // Quotes around a type that names others, which may come later.
      written.set(name, `${docOf(schema)}${name}: TypeAlias = ${isKnown ? type : JSON.stringify(type)}\n`)
    }
  }

  function dictOf(name: string, { properties = {}, required = [], description }: Schema): string {
    const fields = Object.entries(properties).map(([key, schema]) => {
      const type = typeOf(schema, name + pascal(key))
      return { key, schema, type: required.includes(key) ? type : `NotRequired[${type}]` }
    })
    const isPlain = fields.every(({ key }) => /^[a-z_]\w*$/i.test(key) && !RESERVED.has(key))
    if (!isPlain)
      return `${name} = TypedDict(\n    "${name}",\n    {\n${fields.map(({ key, type }) => `        "${key}": ${JSON.stringify(type)},\n`).join('')}    },\n)\n`
    const lines = fields.map(({ key, schema, type }) => `${docOf(schema, '    ')}    ${key}: ${type}\n`)
    const doc = description ? `    """${oneLine(description)}"""\n\n` : ''
    return `class ${name}(TypedDict):\n${doc}${lines.join('') || '    pass\n'}`
  }

  /** The type of a schema; objects in it get a name of their own, which begins with `hint`. */
  function typeOf(schema: Schema, hint: string): string {
    if (schema.not) return 'Never'
    if (schema.$ref) return schema.$ref.split('/').at(-1)!
    if ('const' in schema) return literal([schema.const])
    if (schema.enum) return literal(schema.enum)
    const parts = schema.anyOf ?? schema.oneOf
    if (parts) return union(parts.map((part, at) => typeOf(part, at === 0 ? hint : `${hint}${at + 1}`)))
    if (schema.allOf) return schema.allOf.length === 1 ? typeOf(schema.allOf[0]!, hint) : 'dict[str, Any]'
    if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type }, hint)))
    switch (schema.type) {
      case 'string':
        return 'str'
      case 'integer':
        return 'int'
      case 'number':
        return 'float'
      case 'boolean':
        return 'bool'
      case 'null':
        return 'None'
      case 'array':
        return `list[${typeOf(schema.items ?? {}, `${hint}Item`)}]`
      case 'object':
        return objectType(schema, hint)
      default:
        return 'Any'
    }
  }

  function objectType(schema: Schema, hint: string): string {
    if (!schema.properties) {
      const values = schema.additionalProperties
      return `dict[str, ${typeof values === 'object' ? typeOf(values, `${hint}Value`) : 'Any'}]`
    }
    let name = hint
    while (written.has(name)) name += '_'
    declare(name, schema)
    return name
  }

  return {
    /** Type as the module `t` names it. */
    typeOf: (schema: Schema, hint: string) =>
      typeOf(schema, hint).replaceAll(/"(?:[^"\\]|\\.)*"|\b[A-Z]\w*/g, (word) =>
        written.has(word) ? `t.${word}` : word,
      ),
    text: () => `${HEAD}\n\n${[...written.values()].join('\n\n')}`,
  }
}

const HEAD = `# Made by \`npm run generate\` from openapi.json. Do not edit.
"""Shapes of what is sent and answered, named as in the API's description."""

from __future__ import annotations

from typing import Any, Literal, Never, NotRequired, TypeAlias, TypedDict
`

const RESERVED = new Set(['from', 'import', 'in', 'is', 'class', 'global', 'pass', 'not', 'or', 'and', 'del', 'None'])

const pascal = (key: string) =>
  key
    .split(/\W|_/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

const literal = (values: unknown[]) => {
  const names = values
    .filter((value) => value !== null)
    .map((value) => (typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value)))
  return union([
    ...(names.length > 0 ? [`Literal[${names.join(', ')}]`] : []),
    ...(values.includes(null) ? ['None'] : []),
  ])
}

/** None last, once. */
const union = (types: string[]): string => {
  const all = new Set(
    types.flatMap((type) => (type.endsWith(' | None') ? [type.slice(0, -' | None'.length), 'None'] : [type])),
  )
  const hasNone = all.delete('None')
  return [...all, ...(hasNone ? ['None'] : [])].join(' | ')
}

const oneLine = (text: string) =>
  text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").replaceAll(/\s+/g, ' ').replace(/"$/, '" ')

function docOf({ description, default: byDefault }: Schema, indent = ''): string {
  const fallback = byDefault === undefined ? undefined : `Default: ${JSON.stringify(byDefault)}`
  const words = [description, fallback].filter(Boolean).join('. ')
  return words ? `${indent}#: ${oneLine(words)}\n` : ''
}
