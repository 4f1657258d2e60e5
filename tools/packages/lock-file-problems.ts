import type { LockFile } from './lock-file.ts'

type Manifest = Partial<Record<(typeof KINDS)[number], Record<string, string>>>

const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const

export interface Installed {
  lock: LockFile
  /** Manifests by their path in the repository. */
  manifests: Record<string, Manifest>
  /**
   * Native packages of other platforms whose hash no registry at hand could tell when their version was taken up. The
   * list can only become shorter: `npm run hash-packages` asks the registry in use for them.
   */
  unhashed: string[]
}

/** Gaps of the lock file: packages whose bytes nothing checks, and dependencies that take any version. */
export function lockFileProblems({ lock, manifests, unhashed }: Installed): string[] {
  const problems: string[] = []
  const open = new Set(packagesWithoutHash(lock))
  const excepted = new Set(unhashed)
  for (const path of open)
    if (!excepted.has(path))
      problems.push(`package-lock.json: ${path} has no integrity hash; run npm run hash-packages`)
  for (const path of excepted)
    if (!open.has(path))
      problems.push(`tools/packages/unhashed-packages.json: ${path} is there or gone; take it off the list`)
  for (const [path, manifest] of Object.entries(manifests))
    for (const kind of KINDS)
      for (const [name, version] of Object.entries(manifest[kind] ?? {}))
        if (!/\d/.test(version)) problems.push(`${path}: ${name} takes any version (${version}); name one`)
  return problems
}

/** Their places in the lock file; what lies in the repository itself needs no hash. */
export const packagesWithoutHash = (lock: LockFile): string[] =>
  Object.entries(lock.packages)
    .filter(([path, { integrity, link }]) => path.includes('node_modules/') && !integrity && !link)
    .map(([path]) => path)
