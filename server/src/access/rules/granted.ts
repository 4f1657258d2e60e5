declare const levels: unique symbol

/**
 * A resource that a check found the caller may use at a level. What changes or shows it asks for this type, so it cannot
 * be called with something that nobody checked. One for `'read' | 'write'` serves where `'read'` is enough.
 */
export type Granted<Resource, Level extends string> = Resource & {
  readonly [levels]: { readonly [Of in Level]: true }
}

/** Marks a resource as checked. Only files named `*.access.ts`, which check, may import this. */
export const grant = <Level extends string, Resource>(resource: Resource): Granted<Resource, Level> =>
  resource as Granted<Resource, Level>
