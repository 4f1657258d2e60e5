/** Folders of web/src. Each may import the ones before it; the files beside them (the router, the shell) may import all. */
const ORDER = [
  'platform',
  'ui',
  'access',
  'drive',
  'agents',
  'reviews',
  'chats',
  'builder',
  'people',
  'settings',
  'shared',
  'threads',
  'evaluation',
]

/** Folders without a front: every file of them is for everybody. */
const OPEN = ['platform', 'ui']

const areaOf = (path: string): string | undefined => /^web\/src\/([\w-]+)\//.exec(path)?.[1]

/** Reason why an import goes against the structure of the UI, or undefined if it does not. */
export function insideWeb(source: string, target: string): string | undefined {
  if (!source.startsWith('web/src/') || !/^web\/src\/.*\.tsx?$/.test(target)) return undefined
  const from = areaOf(source)
  const to = areaOf(target)
  if (from === to) return from && target === frontOf(from) ? 'a front is for other folders' : undefined
  if (to === undefined) return `${from} does not know the router and the shell`
  if (from !== undefined) {
    for (const area of [from, to])
      if (!ORDER.includes(area)) return `${area} has no place in tools/checks/web-import-rules.ts`
    if (ORDER.indexOf(to) > ORDER.indexOf(from)) return `${from} does not know ${to}`
  }
  if (OPEN.includes(to) || target === frontOf(to)) return undefined
  if (
    from === undefined &&
    target.startsWith(`web/src/${to}/`) &&
    /^[^/]+\.pages\.ts$/.test(target.slice(`web/src/${to}/`.length))
  )
    return undefined
  return `other folders import ${to} by its front, ${frontOf(to)}`
}

const frontOf = (area: string): string => `web/src/${area}/${area}.ts`
