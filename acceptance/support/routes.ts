import { inject } from 'vitest'

export interface Route {
  method: string
  /** URL pattern as in the description: `/v1/agents/{agent_id}`. */
  path: string
  operation: any
}

/** The description, as the server gave it when the suite began. */
export const openapi: any = inject('openapi')

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

/** Every route of the description. */
export const routes: Route[] = Object.entries<any>(openapi.paths).flatMap(([path, item]) =>
  METHODS.filter((method) => item[method]).map((method) => ({
    method: method.toUpperCase(),
    path,
    operation: item[method],
  })),
)

/** Routes that want a key. */
export const keyedRoutes = routes.filter(({ operation }) => operation.security?.length !== 0)

/** Follows `$ref`s. */
export function resolved(schema: any): any {
  if (!schema?.$ref) return schema
  return resolved(
    schema.$ref
      .slice(2)
      .split('/')
      .reduce((at: any, name: string) => at[name], openapi),
  )
}

/** The path with an id for each of its parameters. */
export const pathWith = (path: string, idOf: (parameter: string) => string): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, parameter) => idOf(parameter))
