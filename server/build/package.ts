import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** Files that the server shows or runs beside its sources, at the same places as in the repository. */
const BESIDE = [
  'web/dist',
  'docs',
  'openapi.json',
  'CHANGELOG.md',
  'LICENSE',
  'tools/node.mjs',
  'server/build/docent-server.mjs',
]

/**
 * Packages that come within this one, without some packages that they name: the repository overrides those, which a
 * package cannot do in the project that it is installed in. They take 500 MB, and one downloads in its install script.
 */
const BROUGHT: Record<string, string[]> = {
  '@lancedb/lancedb': ['@huggingface/transformers', 'openai'],
  officeparser: ['pdfjs-dist', 'tesseract.js'],
}

interface Manifest {
  name: string
  version: string
  license: string
  type: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

const manifestAt = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/**
 * Makes the server's package as it is published: its sources as JavaScript, for Node strips no types below
 * node_modules, the built web UI, and the packages that it imports in the versions that it was tested with.
 */
export function buildServer(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  for (const name of globSync('**/*.*', { cwd: join(root, 'server/src') }))
    if (!/\.test\.ts$|\.d\.ts$/.test(name)) copySource(join('server/src', name), folder)
  for (const path of BESIDE) cpSync(join(root, path), join(folder, path), { recursive: true })
  cpSync(join(root, 'server/README.md'), join(folder, 'README.md'))
  const { name, version, license, type, dependencies = {} } = manifestAt(join(root, 'server'))
  const brought = Object.entries(BROUGHT).map(([name, without]) => bring(name, without, folder))
  const optional = Object.assign({}, ...brought.map(({ optionalDependencies }) => optionalDependencies))
  const manifest = {
    name,
    version,
    description: 'A self-hosted service on which a company runs its AI agents',
    license,
    type,
    engines: { node: '>=24' },
    bin: { 'docent-server': 'server/build/docent-server.mjs' },
    dependencies: {
      ...Object.assign({}, ...brought.map(({ dependencies }) => dependencies)),
      ...Object.fromEntries(Object.keys(dependencies).map((name) => [name, installedVersion(name)])),
    },
    optionalDependencies: optional,
    bundleDependencies: Object.keys(BROUGHT),
  }
  write(join(folder, 'package.json'), manifest)
  // The server reads its version beside its sources.
  write(join(folder, 'server/package.json'), { name, version, type, private: true })
}

function copySource(path: string, folder: string): void {
  if (!path.endsWith('.ts')) {
    cpSync(join(root, path), join(folder, path))
    return
  }
  const code = stripTypeScriptTypes(readFileSync(join(root, path), 'utf8'), { mode: 'strip' })
  const to = join(folder, path.replace(/\.ts$/, '.js'))
  mkdirSync(dirname(to), { recursive: true })
  writeFileSync(to, code.replaceAll(/(['"`])(\.{1,2}\/[^'"`\s]*)\.ts\1/g, '$1$2.js$1'))
}

const installedVersion = (name: string) => manifestAt(join(root, 'node_modules', name)).version

/** Copies an installed package for Node alone. @returns the packages that it needs, which then are this package's own */
function bring(name: string, without: string[], folder: string) {
  const from = join(root, 'node_modules', name)
  const to = join(folder, 'node_modules', name)
  cpSync(from, to, {
    recursive: true,
    filter: (path) => !/[\\/]node_modules$|\.browser\.|\.d\.ts$|\.map$/.test(path.slice(from.length)),
  })
  const { dependencies = {}, optionalDependencies = {}, ...manifest } = manifestAt(from)
  write(join(to, 'package.json'), manifest)
  const kept = (all: Record<string, string>) =>
    Object.fromEntries(Object.entries(all).filter(([needed]) => !without.includes(needed)))
  return { dependencies: kept(dependencies), optionalDependencies: kept(optionalDependencies) }
}

const write = (path: string, value: unknown) => writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)
