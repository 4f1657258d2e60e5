import type { Import } from './imports.ts'
import { insideWeb } from './web-import-rules.ts'

/** Folders that each folder of server/src may import, besides itself, `queue`, `platform` and what is in MANY. */
const KNOWN: Record<string, string[]> = {
  mcp: ['chats', 'agents', 'retrieval', 'drive', 'users', 'access'],
  openai: ['chats', 'agents', 'retrieval', 'drive', 'users', 'access'],
  evaluation: ['webhooks', 'usage', 'chats', 'agents', 'retrieval', 'content', 'drive', 'users', 'access'],
  chats: ['webhooks', 'usage', 'projects', 'agents', 'retrieval', 'drive', 'users', 'access'],
  projects: ['agents', 'drive', 'access'],
  agents: ['usage', 'retrieval', 'search', 'content', 'drive', 'users', 'access'],
  integrations: ['webhooks', 'content', 'retrieval', 'drive', 'users', 'access'],
  retrieval: ['usage', 'webhooks', 'search', 'content', 'drive', 'users', 'access'],
  drive: ['users', 'access'],
  users: ['access'],
  webhooks: ['users', 'access'],
  usage: ['users', 'access'],
  links: ['agents', 'access'],
  audit: ['access'],
  apps: ['access'],
  accounts: ['access'],
  access: [],
  search: [],
  content: [],
  queue: [],
  config: [],
}

/**
 * Modules that all features may import: the shapes of the settings, the database and the kernel, and how to record what
 * is done.
 */
const MANY = [
  'server/src/config.ts',
  'server/src/db.ts',
  'server/src/kernel.ts',
  'server/src/kernel-parts.ts',
  'server/src/audit/record-audit.ts',
]

/** Folders with parts for any feature to pick from, each by its own file. The others are features, and have a front. */
const TOOLKITS = ['admin', 'config', 'content', 'migrations', 'platform', 'queue', 'sample', 'search']

const isFeature = (area: string | undefined): area is string => area !== undefined && !TOOLKITS.includes(area)

const frontOf = (feature: string) => `server/src/${feature}/${feature}.ts`

/** Whether a file puts everything together or acts on it as a whole: it may import any feature. */
const isComposition = (path: string) =>
  /^server\/src\/[\w.-]+\.ts$/.test(path) || /^server\/src\/(migrations|sample|admin)\//.test(path)

const isTest = (path: string) => /\.test\.tsx?$/.test(path) || /^((server|web)\/tests|acceptance\/support)\//.test(path)

/** The folder of server/src that a path is in: a feature, `platform`, `queue` or `config`. */
const areaOf = (path: string): string | undefined => /^server\/src\/([\w-]+)\//.exec(path)?.[1]

/** Reason that an import violates the structure of the repository, or undefined if it does not. */
export function violation({ source, target, isTypeOnly }: Import): string | undefined {
  return outsideServer(source, target) ?? insideServer(source, target, isTypeOnly) ?? insideWeb(source, target)
}

function outsideServer(source: string, target: string): string | undefined {
  const top = source.split('/')[0]!
  const isServer = target.startsWith('server/') || target.startsWith('@docent/server')
  if (['sdk', 'cli', 'web', 'acceptance'].includes(top) && isServer) {
    const isSupport = isTest(source) && target.startsWith('server/tests/support/')
    return isSupport ? undefined : `${top} knows the server by its HTTP contract alone`
  }
  // Tests of packages share what finds Node's versions.
  const isOfBuild = isTest(source) && target.startsWith('sdk/build/')
  if (['cli', 'web', 'acceptance', 'server'].includes(top) && target.startsWith('sdk/') && !isOfBuild)
    return 'the SDK is imported as @docent/sdk'
  if (
    source.startsWith('server/src/') &&
    !isTest(source) &&
    /^(@docent\/|(cli|web|bench|tools|acceptance|server\/tests)\/)/.test(target)
  )
    return 'the server stands alone'
  return undefined
}

function insideServer(source: string, target: string, isTypeOnly: boolean): string | undefined {
  if (!source.startsWith('server/src/') || !target.startsWith('server/src/') || isTest(source)) return undefined
  const from = areaOf(source)
  const to = areaOf(target)
  if (from === to) return isFeature(to) && target === frontOf(to) ? 'a front is for other folders' : undefined
  if (/\.tables\.ts$/.test(target))
    return source === 'server/src/db.ts' ? undefined : "a feature's tables are for its own folder and db.ts"
  // The shape of what a store returns may be named elsewhere; its SQL may not be called.
  if (/\.store\.ts$/.test(target) && !isTypeOnly && !isComposition(source))
    return "a feature's stores are for its own folder"
  if (to === 'platform' || MANY.includes(target)) return undefined
  const stranger = isComposition(source) ? undefined : strangerTo(from, to)
  if (stranger) return stranger
  return isFeature(to) && target !== frontOf(to) ? `${to} is entered by ${to}/${to}.ts` : undefined
}

function strangerTo(from: string | undefined, to: string | undefined): string | undefined {
  if (from === 'platform') return 'platform knows no feature'
  if (to === 'queue') return undefined
  if (to === undefined) return 'only the composition imports what stands beside the features'
  if (KNOWN[from!]?.includes(to)) return undefined
  return KNOWN[from!] ? `${from} does not know ${to}` : `${from} has no place in tools/checks/import-rules.ts`
}
