// node tools/bundle-server.mjs [FOLDER]: puts what the server, and an operator's commands, load at their start into a few
// files, with maps to the sources.
// Without a FOLDER they go where a start looks for them.
import { existsSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { rolldown } from 'rolldown'
import { removeOldBundles } from './bundles-in-use.mjs'
import { root } from './node.mjs'
import { bundleFolder } from './server-build.mjs'

/** Packages that every start needs, and what they import. All others stay where they are, and are loaded on first use. */
const AT_START = [
  '@fastify/multipart',
  'close-with-grace',
  'eventsource-parser',
  'fastify',
  'fastify-type-provider-zod',
  'find-my-way',
  'kysely',
  'lru-cache',
  'p-limit',
  'pino',
  'yazl',
  'zod',
]

/** Fastify's own compilers, which platform/http/server.ts does without. */
const NEVER = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler']

/** Fastify loads Node's HTTP/2 for an option that the server does not set; it is 2 % of a start. */
const UNUSED = 'node:http2'

const given = process.argv[2]
const folder = given ? resolve(given) : bundleFolder()
const own = `${folder}.${process.pid}`

const isPackage = (name) => /^(@|[a-z])/.test(name) && !/^(node|[a-z]):/i.test(name)
const packageOf = (name) =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')
const isOurs = (path) => path.startsWith(join(root, 'server/src') + sep)

const whatIsBundled = {
  name: 'what-is-bundled',
  resolveId(name, importer) {
    if (name === UNUSED) return { id: `\0${UNUSED}` }
    if (!importer || !isPackage(name)) return null
    const isLeftOut = isOurs(importer) ? !AT_START.includes(packageOf(name)) : NEVER.includes(packageOf(name))
    return isLeftOut ? { id: name, external: true } : null
  },
  load: (id) => (id === `\0${UNUSED}` ? 'export {}' : null),
}

/** A bundled module finds what lies beside its source, and processes and threads of its own run from the sources. */
const whereItWas = (bundle) => ({
  name: 'where-it-was',
  transform(code, path) {
    if (!isOurs(path)) return { code, map: { mappings: '' } }
    if (!/\bimport\.meta\.(url|dirname)\b/.test(code)) return null
    const from = (it) => relative(bundle, it).split(sep).join('/')
    const moved = code
      .replaceAll(/\bimport\.meta\.url\b/g, `new URL('${from(path)}', import.meta.url).href`)
      .replaceAll(/\bimport\.meta\.dirname\b/g, `(import.meta.dirname + '/${from(dirname(path))}')`)
    // Lines stay where they are.
    return { code: moved, map: null }
  },
})

/** Bundles a program. @param into folder of it, below the one of the bundle */
async function write(program, into) {
  const bundle = await rolldown({
    input: join(root, 'server/src', `${program}.ts`),
    platform: 'node',
    plugins: [whatIsBundled, whereItWas(join(folder, into))],
    logLevel: 'warn',
  })
  await bundle.write({
    dir: join(own, into),
    format: 'esm',
    sourcemap: true,
    sourcemapExcludeSources: true,
    comments: false,
    entryFileNames: `${program}.js`,
    chunkFileNames: '[name]-[hash].js',
  })
  await bundle.close()
}

await write('main', '.')
// By itself: what both share would be files that the server loads beside its own.
await write('admin', 'admin')
putInPlace()
if (!given) removeOldBundles(folder)

/** All at once, so that nobody starts half of it; another process may have been faster. */
function putInPlace() {
  if (!given && bundleFolder() !== folder) {
    rmSync(own, { recursive: true })
    throw new Error('The sources changed while they were bundled')
  }
  try {
    renameSync(own, folder)
  } catch (error) {
    rmSync(own, { recursive: true })
    if (!existsSync(folder)) throw error
  }
}
