import { execFile } from 'node:child_process'
import { cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'

const sdk = join(import.meta.dirname, '..')
const root = join(sdk, '..')

/** Packages whose code is in the bundle, so that who installs the SDK installs nothing else. */
const BUNDLED = ['eventsource-parser']

/**
 * Makes the package as it is published: JavaScript in few files with maps to the sources, and their types. It has a
 * package.json of its own, since inside this repository the SDK is used from its sources.
 */
export async function buildPackage(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  await Promise.all([bundle(folder), declareTypes(folder)])
  for (const name of ['README.md', 'CHANGELOG.md']) cpSync(join(sdk, name), join(folder, name))
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.md'), BUNDLED.map(licenceOf).join('\n'))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packageJson(), null, 2)}\n`)
}

async function bundle(folder: string): Promise<void> {
  const made = await rolldown({ input: join(sdk, 'src/index.ts'), platform: 'neutral', logLevel: 'warn' })
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
async function declareTypes(folder: string): Promise<void> {
  const types = join(folder, 'types')
  const tsc = join(root, 'node_modules/.bin/tsc')
  await promisify(execFile)(tsc, ['--project', join(sdk, 'tsconfig.build.json'), '--outDir', types])
  for (const name of globSync('**/*.d.ts', { cwd: types })) {
    const path = join(types, name)
    // Compilers before TypeScript 5.7 know these endings alone.
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/(['"]\.{1,2}\/[^'"]+)\.ts\1?(?=['"])/g, '$1.js'))
  }
}

function packageJson(): object {
  const { name, version, description, license, type, sideEffects, engines } = manifestOf(sdk)
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
    files: ['*.js', '*.js.map', 'types', 'CHANGELOG.md', 'THIRD-PARTY-LICENSES.md'],
  }
}

function licenceOf(name: string): string {
  const folder = [sdk, root].map((above) => join(above, 'node_modules', name)).find(existsSync)
  if (!folder) throw new Error(`${name} is not installed`)
  const [file] = globSync('LICENSE*', { cwd: folder })
  return `## ${name} ${manifestOf(folder).version}\n\n${readFileSync(join(folder, file!), 'utf8')}`
}

const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>
