import type { AccessRule, Reach, Who } from '../../server/src/access/rules/access-rule.ts'

const CALLERS: Record<Who, string> = {
  everybody: 'Nobody has to be known',
  caller: 'Every key and everybody who is signed in may call it',
  admin: 'Admins and owners may call it',
  owner: 'Owners may call it',
  account: 'People who are signed in may call it, for their own account',
  create_knowledgebase: 'Admins, owners and those with the permission `create_knowledgebase` may call it',
  manage_agents: 'Admins, owners and those with the permission `manage_agents` may call it',
  manage_keys: 'Admins, owners and those with the permission `manage_keys` may call it',
}

/** Tells in whole sentences who may call an operation, and what they must be let do. */
export function describeAccess({ who, proof, orSelf, on = [], visitors, virtualUsers }: AccessRule): string {
  const whom = proof ? `${CALLERS[who]}, with ${proof}` : CALLERS[who]
  const self = orSelf ? '; so may members for themselves' : ''
  const needed = on.map(needOf).filter((need) => need !== undefined)
  const others = [virtualUsers === true && 'tokens of virtual users', visitors && 'visitors of a link'].filter(Boolean)
  return [
    `${whom}${self}.`,
    needed.length > 0 && `It takes ${listed(needed)}.`,
    others.length > 0 && `Open to ${listed(others as string[])}, too.`,
  ]
    .filter(Boolean)
    .join(' ')
}

function needOf(reached: Reach): string | undefined {
  const where = reached.by.startsWith('params.') ? '' : ` in \`${reached.by.slice(reached.by.indexOf('.') + 1)}\``
  if (reached.kind === 'folder') return `the right to ${reached.to} the folder${where && `s${where}`}`
  if (reached.kind === 'agent') return `the right to ${reached.to} the agent${where && `s${where}`}`
  return undefined
}

const listed = (parts: string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
