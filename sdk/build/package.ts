import { execFile } from 'node:child_process'
import { cpSync, existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'

const root = join(import.meta.dirname, '../..')

/** Packages whose code is in the bundle of each, so that who installs the SDK installs nothing else. */
const BUNDLED: Record<string, string[]> = { sdk: ['eventsource-parser'] }

/** Folders of the repository that hold a package to publish. */
export const PACKAGES = ['sdk', 'sdk-ai', 'sdk-react']

/**
 * Makes a package as it is published: JavaScript in few files with maps to the sources, and their types. It has a
 * package.json of its own, since inside this repository packages are used from their sources.
 */
export async function buildPackage(folder: string, name = 'sdk'): Promise<void> {
  const source = join(root, name)
  const bundled = BUNDLED[name] ?? []
  rmSync(folder, { recursive: true, force: true })
  await Promise.all([bundle(source, folder, bundled), declareTypes(source, folder)])
  for (const file of ['README.md', 'CHANGELOG.md']) cpSync(join(source, file), join(folder, file))
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  if (bundled.length > 0)
    writeFileSync(
      join(folder, 'THIRD-PARTY-LICENSES.md'),
      bundled.map((dependency) => licenceOf(source, dependency)).join('\n'),
    )
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packageJson(source, bundled), null, 2)}\n`)
}

async function bundle(source: string, folder: string, bundled: string[]): Promise<void> {
  const { dependencies = {}, peerDependencies = {} } = manifestOf(source) as Dependencies
  const made = await rolldown({
    input: join(source, 'src/index.ts'),
    platform: 'neutral',
    external: Object.keys({ ...dependencies, ...peerDependencies }).filter((name) => !bundled.includes(name)),
    logLevel: 'warn',
  })
  await made.write({
    dir: folder,
    format: 'esm',
    sourcemap: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
  })
  await made.close()
}

/** Declarations stand apart from the code: they keep the folders of the sources. */
async function declareTypes(source: string, folder: string): Promise<void> {
  const types = join(folder, 'types')
  // With those of the packages that it imports, which are sources here; they are left out.
  const all = join(folder, 'all-types')
  const tsc = join(root, 'node_modules/.bin/tsc')
  const options = ['--project', join(source, 'tsconfig.build.json'), '--rootDir', root, '--outDir', all]
  await promisify(execFile)(tsc, options)
  renameSync(join(all, relative(root, source), 'src'), types)
  rmSync(all, { recursive: true })
  for (const name of globSync('**/*.d.ts', { cwd: types })) {
    const path = join(types, name)
    // Compilers before TypeScript 5.7 know these endings alone.
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/(['"]\.{1,2}\/[^'"]+)\.ts\1?(?=['"])/g, '$1.js'))
  }
}

function packageJson(source: string, bundled: string[]): object {
  const { name, version, description, license, type, sideEffects, engines, ...rest } = manifestOf(source)
  const { dependencies = {}, peerDependencies, peerDependenciesMeta } = rest as Dependencies
  const needed = Object.entries(dependencies).filter(([dependency]) => !bundled.includes(dependency))
  return {
    name,
    version,
    description,
    license,
    type,
    sideEffects,
    engines,
    exports: {
      '.': { types: './types/index.d.ts', default: './index.js' },
      './package.json': './package.json',
    },
    types: './types/index.d.ts',
    ...(needed.length > 0 && { dependencies: Object.fromEntries(needed) }),
    peerDependencies,
    peerDependenciesMeta,
    files: ['*.js', '*.js.map', 'types', 'CHANGELOG.md', 'THIRD-PARTY-LICENSES.md'],
  }
}

interface Dependencies {
  dependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional: boolean }>
}

function licenceOf(source: string, name: string): string {
  const folder = [source, root].map((above) => join(above, 'node_modules', name)).find(existsSync)
  if (!folder) throw new Error(`${name} is not installed`)
  const [file] = globSync('LICENSE*', { cwd: folder })
  return `## ${name} ${manifestOf(folder).version}\n\n${readFileSync(join(folder, file!), 'utf8')}`
}

const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>
