/** Parts of an OpenAPI document that we look into. */
export interface OpenApiDocument {
  paths: Record<string, Record<string, unknown>>
  webhooks?: Record<string, Record<string, unknown>>
  components: { schemas: Record<string, unknown> } & Record<string, unknown>
}

const REF = '#/components/schemas/'

/**
 * Brings order into the component schemas, each of which comes twice, as `X` for answers and `XInput` for requests:
 * keeps the ones in use, and one where both are the same or only one is used.
 */
export function tidySchemas(document: OpenApiDocument): OpenApiDocument {
  const { schemas } = document.components
  const isSame = sameInBoth(schemas)
  const used = usedSchemas(document, isSame)
  const nameOf = (name: string) => {
    const plain = name.replace(/Input$/, '')
    return name !== plain && (isSame(plain) || !used.has(plain)) ? plain : name
  }
  const kept = Object.fromEntries([...used].sort().map((name) => [nameOf(name), schemas[name]]))
  const whole = mapRefs({ ...document, components: { ...document.components, schemas: kept } }, nameOf)
  return withoutNoise(openAnswers(whole as OpenApiDocument)) as OpenApiDocument
}

/** Clients must bear fields that a later version adds to an answer; a request that has others than those listed is refused. */
function openAnswers(document: OpenApiDocument): OpenApiDocument {
  const answers = mapObjects(document.paths, ({ requestBody: _, ...rest }) => rest) as OpenApiDocument['paths']
  const answered = usedSchemas({ ...document, paths: answers })
  const paths = mapObjects(document.paths, (object) =>
    'responses' in object ? { ...object, responses: opened(object.responses) } : object,
  ) as OpenApiDocument['paths']
  const schemas = Object.fromEntries(
    Object.entries(document.components.schemas).map(([name, schema]) => [
      name,
      answered.has(name) ? opened(schema) : schema,
    ]),
  )
  return { ...document, paths, components: { ...document.components, schemas } }
}

const opened = (value: unknown): unknown =>
  mapObjects(value, (object) => {
    const { additionalProperties, ...rest } = object
    return additionalProperties === false ? rest : object
  })

/** Names that the paths reach, with what those reach in turn. */
function usedSchemas(
  { paths, webhooks, components }: OpenApiDocument,
  isSame: (name: string) => boolean = () => false,
): Set<string> {
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
  visit(webhooks)
  return used
}

/** Whether requests and answers look the same under a name, with all that it refers to. */
function sameInBoth(schemas: Record<string, unknown>): (name: string) => boolean {
  const known = new Map<string, boolean>()
  const isSame = (name: string): boolean => {
    const before = known.get(name)
    if (before !== undefined) return before
    // A schema that refers to itself is as equal as the rest of it.
    known.set(name, true)
    const same =
      Boolean(schemas[name]) &&
      sameText(schemas[name]) === sameText(schemas[`${name}Input`]) &&
      refsIn(schemas[name]).every((inner) => isSame(inner))
    known.set(name, same)
    return same
  }
  return isSame
}

function refsIn(schema: unknown): string[] {
  const names: string[] = []
  mapRefs(schema, (name) => {
    names.push(name)
    return name
  })
  return names
}

const sameText = (schema: unknown): string => JSON.stringify(mapRefs(schema, (name) => name.replace(/Input$/, '')))

/** A copy with other names in its references. */
const mapRefs = (value: unknown, rename: (name: string) => string): unknown =>
  mapObjects(value, (object) =>
    typeof object.$ref === 'string' && object.$ref.startsWith(REF)
      ? { ...object, $ref: REF + rename(object.$ref.slice(REF.length)) }
      : object,
  )

/** The bounds of JavaScript's integers tell nothing, and the default of a number in a query string is a number. */
const withoutNoise = (value: unknown): unknown =>
  mapObjects(value, (object) => {
    const entries = Object.entries(object).filter(
      ([key, value]) => !(/^(min|max)imum$/.test(key) && Math.abs(value as number) === Number.MAX_SAFE_INTEGER),
    )
    const tidy = Object.fromEntries(entries)
    const isTyped = tidy.type === 'integer' || tidy.type === 'boolean'
    return isTyped && typeof tidy.default === 'string' ? { ...tidy, default: JSON.parse(tidy.default) } : tidy
  })

/** A copy in which every object is what `change` makes of it, the outer ones first. */
function mapObjects(value: unknown, change: (object: Record<string, unknown>) => Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((one) => mapObjects(one, change))
  if (typeof value !== 'object' || value === null) return value
  const changed = Object.entries(change(value as Record<string, unknown>))
  return Object.fromEntries(changed.map(([key, one]) => [key, mapObjects(one, change)]))
}
