/** What of an OpenAPI document we look into. */
export interface OpenApiDocument {
  paths: Record<string, Record<string, unknown>>
  components: { schemas: Record<string, unknown> } & Record<string, unknown>
}

const REF = '#/components/schemas/'

/**
 * Brings order into the component schemas, each of which comes twice, as `X` for answers and `XInput` for requests:
 * keeps the ones in use, and one where both are the same or only one is used.
 */
export function tidySchemas(document: OpenApiDocument): OpenApiDocument {
  const { schemas } = document.components
  const isSame = (name: string) => Boolean(schemas[name]) && sameText(schemas[name]) === sameText(schemas[`${name}Input`])
  const used = usedSchemas(document, isSame)
  const nameOf = (name: string) => {
    const plain = name.replace(/Input$/, '')
    return name !== plain && (isSame(plain) || !used.has(plain)) ? plain : name
  }
  const kept = Object.fromEntries([...used].sort().map((name) => [nameOf(name), schemas[name]]))
  const whole = { ...document, components: { ...document.components, schemas: kept } }
  return mapRefs(whole, nameOf) as OpenApiDocument
}

/** Names that the paths reach, with what those reach in turn. */
function usedSchemas({ paths, components }: OpenApiDocument, isSame: (name: string) => boolean): Set<string> {
  const used = new Set<string>()
  const visit = (value: unknown) => {
    mapRefs(value, (name) => {
      const plain = name.replace(/Input$/, '')
      const wanted = isSame(plain) ? plain : name
      if (!used.has(wanted)) {
        used.add(wanted)
        visit(components.schemas[wanted])
      }
      return name
    })
  }
  visit(paths)
  return used
}

const sameText = (schema: unknown): string => JSON.stringify(mapRefs(schema, (name) => name.replace(/Input$/, '')))

function mapRefs(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((one) => mapRefs(one, rename))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) =>
      key === '$ref' && typeof one === 'string' && one.startsWith(REF)
        ? [key, REF + rename(one.slice(REF.length))]
        : [key, mapRefs(one, rename)],
    ),
  )
}
