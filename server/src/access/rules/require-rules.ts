import type { FastifyInstance, RouteOptions } from 'fastify'
import type { ZodObject } from 'zod'
import type { AccessRule } from './access-rule.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Declares who may call the route, and on what. No route is registered without. */
    access?: AccessRule
    /** Set where the credentials of callers are checked. */
    isGuarded?: true
  }
}

/** Fields of bodies and queries that name a folder or an agent: a rule has to say what for. */
const NAMES_OF_REACHED = /^((parent_)?kb_id|(parent_)?knowledge_base_ids?|(sub_)?agent_ids?|parent_kb_id)$/

/**
 * Refuses routes whose rule is missing or incomplete: without `access`, with an id in the path, or a folder or an agent
 * in the body or query, that the rule does not name, or with a rule that asks for a caller where nobody checks one.
 */
export function requireRules(app: FastifyInstance): void {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => {
    const rule = route.config?.access
    if (!rule) throw new Error(`${nameOf(route)} has no access rule: say in its config who may call it`)
    const named = new Set(rule.on?.map(({ by }) => by))
    const unnamed = fieldsOf(route).find((field) => !named.has(field as never))
    if (unnamed) throw new Error(`The access rule of ${nameOf(route)} does not say what ${unnamed} is for`)
    routes.push(route)
  })
  app.addHook('onReady', async () => {
    for (const route of routes)
      if ((route.config!.access!.who === 'everybody') === (route.config!.isGuarded === true))
        throw new Error(`The access rule of ${nameOf(route)} does not fit: ${route.config!.access!.who} may call it`)
  })
}

const nameOf = ({ method, url }: RouteOptions): string => `${[method].flat().join(', ')} ${url}`

function fieldsOf({ url, schema = {}, config }: RouteOptions): string[] {
  // A link's token, and the parts of a signed link, are proofs and no ids.
  const params =
    config!.access!.who === 'everybody' ? [] : [...url.matchAll(/:(\w+)/g)].map(([, name]) => `params.${name}`)
  return [...params, ...reachedIn('query', schema.querystring), ...reachedIn('body', schema.body)]
}

const reachedIn = (place: string, schema: unknown): string[] =>
  Object.keys((schema as ZodObject | undefined)?.shape ?? {})
    .filter((name) => NAMES_OF_REACHED.test(name))
    .map((name) => `${place}.${name}`)
