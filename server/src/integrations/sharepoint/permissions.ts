import type { Readers } from '../../access/access.ts'
import { createAskOnce } from '../api/ask-once.ts'
import { type FoundAccess, nobody } from '../api/found-access.ts'
import { SourceItemError } from '../source.ts'
import type { Graph, Person } from './graph.ts'
import type { IdentitySet, Permission } from './permissions.schemas.ts'

/** Claims of SharePoint that stand for many: everybody who is signed in, and everybody but guests. */
const EVERYBODY = 'c:0(.s|true'
const ORGANIZATION = '|spo-grid-all-users/'
/** Claim of a group of Entra, or of its owners. */
const GROUP_CLAIM = /^c:0.*\|([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(_o)?$/i
/** Address at the end of a claim, or a user name; those of guests that stand for another address are none. */
const ADDRESS = /(?:^|[|#])([^|#\s@]+@[^|#\s@]+\.[^|#\s@]+)$/

interface Named extends Readers {
  isEverybody: boolean
  problems: string[]
}

/**
 * Finds who may read files. People are named by their addresses, groups of Entra by those of their members, groups of a
 * site, whose members Microsoft Graph does not tell, by their names.
 */
export function createAccessFinder(
  graph: Graph,
  permissionsOf: (itemId: string, signal: AbortSignal) => Promise<Permission[]>,
) {
  const once = createAskOnce<unknown>()
  const said = new Set<string>()

  /** Asks for something once in a sync. @returns undefined where it is refused, which is said once */
  async function told<T>(key: string, ask: () => Promise<T>, say: (reason: string) => string, to: Named) {
    try {
      return (await once(key, ask)) as T
    } catch (error) {
      if (!(error instanceof SourceItemError)) throw error
      if (!said.has(key)) to.problems.push(say(error.message))
      said.add(key)
      return undefined
    }
  }

  async function addGroup(
    to: Named,
    id: string,
    { name, isOwners }: { name: string; isOwners: boolean },
    signal: AbortSignal,
  ) {
    const of = isOwners ? 'owners' : 'transitiveMembers'
    const ask = async () => {
      const emails: string[] = []
      for await (const person of graph.people(id, of, signal)) emails.push(...emailsOf(person))
      return emails
    }
    const say = (reason: string) =>
      `the members of the group "${name}" cannot be listed (${reason}), so it counts by its name`
    const emails = await told(`${of} ${id}`, ask, say, to)
    if (emails) for (const email of emails) to.emails.push(email)
    else if (name) to.groups.push(name)
  }

  async function addOrganization(to: Named, signal: AbortSignal) {
    const say = (reason: string) => `the domains of the organization cannot be listed (${reason})`
    to.domains.push(...((await told('domains', () => graph.domains(signal), say, to)) ?? []))
  }

  async function addPerson(to: Named, { user, siteUser }: IdentitySet, signal: AbortSignal) {
    const given = [user?.email, user?.userPrincipalName, siteUser?.email, siteUser?.loginName].flatMap(addressIn)
    to.emails.push(...given)
    const id = user?.id
    if (given.length > 0 || !id) return
    const name = user.displayName ?? id
    const say = (reason: string) => `the address of ${name} cannot be told (${reason})`
    const person = await told(`person ${id}`, () => graph.person(id, signal), say, to)
    if (person) to.emails.push(...emailsOf(person))
  }

  async function add(to: Named, one: IdentitySet, signal: AbortSignal): Promise<void> {
    const { user, group, siteUser, siteGroup, sharePointGroup } = one
    const claim = siteUser?.loginName ?? siteGroup?.loginName ?? ''
    const name = [group, siteGroup, sharePointGroup, siteUser, user].find((of) => of?.displayName)?.displayName ?? ''
    if (claim.startsWith(EVERYBODY)) to.isEverybody = true
    else if (claim.includes(ORGANIZATION)) await addOrganization(to, signal)
    else {
      const [, inClaim, owners] = GROUP_CLAIM.exec(claim) ?? []
      const groupId = inClaim ?? group?.id
      if (groupId) await addGroup(to, groupId, { name, isOwners: owners !== undefined }, signal)
      else if (siteGroup || sharePointGroup) to.groups.push(...(name ? [name] : []))
      else await addPerson(to, one, signal)
    }
  }

  return async (itemId: string, signal: AbortSignal): Promise<FoundAccess> => {
    const to: Named = { ...nobody(), isEverybody: false, problems: [] }
    for (const permission of await permissionsOf(itemId, signal)) {
      if (!opensContent(permission)) continue
      const { link, grantedToV2, grantedTo, invitation } = permission
      if (link?.scope === 'anonymous') to.isEverybody ||= permission.hasPassword !== true
      if (link?.scope === 'organization') await addOrganization(to, signal)
      const one = grantedToV2 ?? grantedTo
      const many = permission.grantedToIdentitiesV2 ?? permission.grantedToIdentities ?? []
      for (const identity of one ? [one, ...many] : many) await add(to, identity, signal)
      if (!one) to.emails.push(...addressIn(invitation?.email))
    }
    const { isEverybody, problems, emails, groups, domains } = to
    const problem = problems.length > 0 ? problems.join('; ') : undefined
    return { access: isEverybody ? null : { emails, groups, domains }, problem }
  }
}

/** Whether a permission lets people have a file now: some links only upload, show without a download, or give nothing. */
function opensContent({ roles, link, expirationDateTime }: Permission): boolean {
  // A year of 1 stands for no end.
  const endsAt = expirationDateTime ? Date.parse(expirationDateTime) : Number.NaN
  if (endsAt > 0 && endsAt < Date.now()) return false
  if (!link) return (roles ?? []).length > 0
  if (link.preventsDownload || link.scope === 'existingAccess') return false
  return link.type !== 'createOnly' && link.type !== 'blocksDownload'
}

const addressIn = (text: string | null | undefined): string[] => ADDRESS.exec(text ?? '')?.slice(1) ?? []

const emailsOf = ({ mail, userPrincipalName }: Person): string[] => [mail, userPrincipalName].flatMap(addressIn)
