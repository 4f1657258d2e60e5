import type { Readers } from '../../access/access.ts'
import { SourceItemError } from '../source.ts'
import { orFieldError } from './api-refused.ts'

/** Readers of a file at its source, as far as it says; null: everybody who may read the folder. */
export interface FoundAccess {
  access: Readers | null
  /** Reason that fewer people are listed than may read it there. */
  problem?: string | undefined
}

export const nobody = (): Readers => ({ emails: [], groups: [], domains: [] })

/** Answer of sources whose settings say that their lists do not count. */
export const everybody = async (): Promise<FoundAccess> => ({ access: null })

/** Runs what a source is tried with that says who may read what. @throws SourceUnavailableError where it does not */
export const orNotObeyed = <T>(finding: Promise<T>, provider: string): Promise<T> =>
  orFieldError(
    finding,
    'obey_access',
    (reason) => `cannot be done: ${provider} does not say who may read what (${reason}); set it to false to do without`,
  )

/** Readers, or nobody where the source does not say: what cannot be told is hidden. */
export async function orNobody(finding: Promise<FoundAccess>): Promise<FoundAccess> {
  try {
    return await finding
  } catch (error) {
    if (!(error instanceof SourceItemError)) throw error
    const problem = `it cannot be told who may read it (${error.message}), so only owners and admins may`
    return { access: nobody(), problem }
  }
}

/** Readers whom both lists name; null: everybody. */
export function namedByBoth(one: Readers | null, other: Readers | null): Readers | null {
  if (!one || !other) return one ?? other
  const both = (names: string[], others: string[]) => {
    const known = new Set(others.map((name) => name.toLowerCase()))
    return names.filter((name) => known.has(name.toLowerCase()))
  }
  return {
    emails: both(one.emails, other.emails),
    groups: both(one.groups, other.groups),
    domains: both(one.domains, other.domains),
  }
}
