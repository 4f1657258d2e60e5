import type { ConfigField } from './kinds/shared-fields.ts'

/** A stored configuration as the form's fields hold it; secrets stay empty. */
export const toValues = (fields: ConfigField[], config: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    fields.flatMap(({ name, type, isOn }) => {
      const value = config[name]
      // A configuration that is older than the switch does without.
      if (value === undefined && isOn) return [[name, 'false']]
      if (value === undefined || value === null || type === 'secret') return []
      return [[name, Array.isArray(value) ? value.join(', ') : String(value)]]
    }),
  )

export const withoutSecrets = (fields: ConfigField[], values: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    fields.flatMap(({ name, type }) => (type !== 'secret' && values[name] ? [[name, values[name]]] : [])),
  )

/**
 * Configuration for the API, without empty fields.
 * @param isChange whether empty fields are sent as null, which takes them back to their default; secrets stay
 */
export function toConfig(
  fields: ConfigField[],
  values: Record<string, string>,
  { isChange = false } = {},
): Record<string, unknown> {
  const given = fields.filter(({ name }) => values[name]?.trim())
  const replaced = isChange ? given.flatMap(({ replaces = [] }) => replaces) : []
  const filled = fields.flatMap(({ name, type }): [string, unknown][] => {
    const value = values[name]?.trim()
    if (!value && replaced.includes(name)) return [[name, null]]
    if (!value) return isChange && type !== 'secret' ? [[name, null]] : []
    if (type === 'number') return [[name, Number(value)]]
    if (type === 'switch') return [[name, value === 'true']]
    return [
      [
        name,
        type === 'list'
          ? value
              .split(',')
              .map((one) => one.trim())
              .filter(Boolean)
          : value,
      ],
    ]
  })
  return Object.fromEntries(filled)
}
