import { cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { rolldown } from 'rolldown'

const source = join(import.meta.dirname, '..')
const root = join(source, '..')

const manifestAt = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, string>

/** Makes the package as it is published: all that it needs is in it, so that it is installed with nothing else. */
export async function buildCommandLine(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  const packages = await bundle(folder)
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  for (const file of ['README.md', 'CHANGELOG.md']) cpSync(join(source, file), join(folder, file))
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.md'), packages.map(licenceOf).join('\n'))
  const { name, version, license, type } = manifestAt(source)
  const manifest = {
    name,
    version,
    description: 'Docent on the command line: files, agents and their answers',
    license,
    type,
    engines: { node: '>=20.18' },
    bin: { docent: './docent.js' },
    files: ['*.js', 'CHANGELOG.md', 'THIRD-PARTY-LICENSES.md'],
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

/** @returns folders of the packages whose code is in the bundle, in order */
async function bundle(folder: string): Promise<string[]> {
  const made = await rolldown({
    input: { docent: join(source, 'src/main.ts') },
    platform: 'node',
    transform: { target: 'node20' },
    logLevel: 'warn',
  })
  const { output } = await made.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  })
  await made.close()
  const modules = output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []))
  return [...new Set(modules.filter((id) => id.includes('node_modules')).map(folderOfPackage))].sort()
}

function folderOfPackage(module: string): string {
  let folder = dirname(module)
  // Folders within a package have a package.json, too, which only says how their modules are read.
  while (!existsSync(join(folder, 'package.json')) || !manifestAt(folder).version) folder = dirname(folder)
  return folder
}

function licenceOf(folder: string): string {
  const { name, version, license } = manifestAt(folder)
  const [file] = globSync('{LICENSE,LICENCE,license,licence}*', { cwd: folder })
  return `## ${name} ${version}\n\n${file ? readFileSync(join(folder, file), 'utf8') : `Licence: ${license}\n`}`
}
