import { type AccessRule, boundOf, type Reach } from '../../server/src/access/rules/access-rule.ts'

const BEGIN = '<!-- From here on made from the access rules of the routes, by npm run generate. -->'

interface Operation {
  operationId: string
  tags: string[]
  'x-access': AccessRule
}

/**
 * The page about permissions with its table of all operations regenerated.
 * @param api OpenAPI document of the routes
 */
export function accessDocs(page: string, api: Record<string, unknown>): string {
  const paths = Object.values(api.paths as Record<string, Record<string, Operation>>)
  const operations = paths.flatMap((methods) => Object.values(methods))
  const byTag = Map.groupBy(operations, ({ tags }) => tags[0]!)
  const tables = [...byTag].map(([tag, found]) => `### ${tag}\n\n${HEAD}${found.map(row).join('')}`)
  const [written] = page.split(BEGIN)
  return `${written!.trimEnd()}\n\n${BEGIN}\n\n${tables.join('\n')}`
}

const HEAD = '| operation | who | on | bound keys | visitors | virtual users |\n| --- | --- | --- | --- | --- | --- |\n'

function row({ operationId, 'x-access': rule }: Operation): string {
  const isOpen = rule.who === 'everybody'
  const bound = isOpen ? 'yes' : BOUND[boundOf(rule)]
  const visitors = isOpen ? 'yes' : rule.visitors === 'counted' ? 'yes, counted' : rule.visitors ? 'yes' : 'no'
  const virtualUsers = isOpen ? 'yes' : rule.virtualUsers === 'keys' ? 'keys' : rule.virtualUsers ? 'yes' : 'no'
  return `| \`${operationId}\` | ${whoOf(rule)} | ${(rule.on ?? []).map(nameOf).join(', ')} | ${bound} | ${visitors} | ${virtualUsers} |\n`
}

const BOUND = {
  checked: 'on what is theirs',
  filtered: 'see what is theirs',
  closed: 'no',
  itself: 'call by call',
} satisfies Record<NonNullable<AccessRule['bound']>, string>

const WHO = {
  everybody: 'everybody',
  caller: 'every caller',
  admin: 'admins, owners',
  owner: 'owners',
  account: 'people who are signed in',
} as Record<AccessRule['who'], string>

function whoOf({ who, proof, orSelf }: AccessRule): string {
  const name = WHO[who] ?? `\`${who}\``
  if (proof) return `${name}, with ${proof}`
  return orSelf ? `${name}, and the member themselves` : name
}

function nameOf(reached: Reach): string {
  const level = 'to' in reached ? `${reached.to} ` : ''
  return `${level}${reached.kind.replaceAll('_', ' ')} (\`${reached.by}\`)`
}
