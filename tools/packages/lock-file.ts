/** The fields of a package-lock.json that we read; everything else passes through. */
export interface LockFile {
  packages: Record<string, LockedPackage>
}

interface LockedPackage {
  version?: string
  integrity?: string
  /** True for a link to a folder of the repository. */
  link?: boolean
  optionalDependencies?: Record<string, string>
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  engines?: Record<string, string>
}

const OS = ['android', 'darwin', 'freebsd', 'linux', 'openbsd', 'openharmony', 'sunos', 'aix', 'win32']
const CPU = ['arm64', 'arm', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'x64', 'wasm32']
const LIBC: Record<string, string> = { gnu: 'glibc', musl: 'musl' }

/**
 * Adds the native packages of other platforms that npm left out, because the registry at hand lacked them or because
 * only this platform was installed: without them `npm ci` refuses the lock file, and other platforms lack the package.
 * Takes from native packages what Node they ask for: they run on the pinned one, but npm may run on an older one, and
 * it leaves an optional package out without a word if that is too old for it. Returns the paths that it added.
 */
export function completeLockFile(lock: LockFile): string[] {
  const added: string[] = []
  for (const entry of Object.values(lock.packages)) if (entry.optional) delete entry.engines
  for (const [path, entry] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      if (isThere(lock, path, name) || !/^\d+\.\d+\.\d+/.test(version)) continue
      const place = `node_modules/${name}`
      const { os, cpu, libc } = platformOf(name)
      // In npm's own order, so that its next install leaves these lines alone.
      lock.packages[place] = { version, cpu, dev: entry.dev, libc, optional: true, os }
      added.push(place)
    }
  }
  if (added.length > 0) {
    // npm's own order.
    const inOrder = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en'))
    lock.packages = Object.fromEntries(inOrder)
  }
  return added
}

function isThere(lock: LockFile, from: string, name: string): boolean {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    if (lock.packages[`${folder && `${folder}/`}node_modules/${name}`]) return true
    if (folder === '') return false
  }
}

/** Native packages carry their platform in the name: `linux-x64-musl`. */
function platformOf(name: string): Pick<LockedPackage, 'os' | 'cpu' | 'libc'> {
  const words = name.split(/[/-]/)
  const os = words.find((word) => OS.includes(word))
  const cpu = words.find((word) => CPU.includes(word))
  const libc = os === 'linux' ? words.find((word) => word in LIBC) : undefined
  return { os: os ? [os] : undefined, cpu: cpu ? [cpu] : undefined, libc: libc ? [LIBC[libc]!] : undefined }
}
