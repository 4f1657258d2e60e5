import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, extname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { languages } from './languages/plugin.ts'

const COMPRESSIBLE = new Set(['.html', '.js', '.mjs', '.css', '.svg', '.json', '.txt'])
const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/** Writes FILE.br and FILE.gz beside compressible files, so that the server sends bytes that were compressed once. */
function compressed(): Plugin {
  let outDir = ''
  return {
    name: 'docent:compressed',
    apply: 'build',
    configResolved(config) {
      outDir = resolve(config.root, config.build.outDir)
    },
    // Not closeBundle: it is called after a failed build, too, and a missing folder would hide the cause.
    async writeBundle() {
      const entries = await readdir(outDir, { recursive: true, withFileTypes: true })
      const files = entries.filter((entry) => entry.isFile() && COMPRESSIBLE.has(extname(entry.name)))
      await Promise.all(
        files.map(async ({ parentPath, name }) => {
          const path = join(parentPath, name)
          const content = await readFile(path)
          await writeFile(`${path}.br`, await toBrotli(content))
          await writeFile(`${path}.gz`, await toGzip(content))
        }),
      )
    },
  }
}

/**
 * Leaves out what Markdown never uses and every chat would load: attributes of SVG, those of HTML, whose names in a tree
 * are the ones that React knows, and paths of files.
 */
function unused(): Plugin {
  const MODULES: Record<string, string> = {
    './lib/html.js': 'export const html = { property: {}, normal: {} }',
    './lib/svg.js': 'export const svg = { property: {}, normal: {} }',
    '#minpath': 'export const minpath = {}',
  }
  return {
    name: 'docent:unused',
    enforce: 'pre',
    resolveId: (source, importer) =>
      MODULES[source] && /property-information|vfile/.test(importer ?? '') ? `\0unused:${source}` : undefined,
    load: (id) => (id.startsWith('\0unused:') ? MODULES[id.slice('\0unused:'.length)] : undefined),
  }
}

/** Numbers the shapes of each icon: the random keys that they come with cannot be compressed. */
function iconKeys(): Plugin {
  return {
    name: 'docent:icon-keys',
    apply: 'build',
    transform: {
      filter: { id: /lucide-react\/dist\/esm\/icons\// },
      handler(code) {
        let shape = 0
        return { code: code.replaceAll(/\bkey: "\w+"/g, () => `key: "${shape++}"`), map: null }
      },
    },
  }
}

/** Asks for the font of all pages before their script runs: one that comes after the first texts would move what is below. */
function earlyFont(): Plugin {
  return {
    name: 'docent:early-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) =>
        Object.keys(bundle)
          .filter((name) => /instrument-sans-latin-wght.*\.woff2$/.test(name))
          .map((name) => ({
            tag: 'link',
            attrs: { rel: 'preload', href: `/${name}`, as: 'font', type: 'font/woff2', crossorigin: '' },
            injectTo: 'head',
          })),
    },
  }
}

/** Copies the data that PDF.js reads at run time into the build: character maps, fonts, and decoders as scripts. */
function pdfData(): Plugin {
  return {
    name: 'docent:pdf-data',
    apply: 'build',
    async generateBundle() {
      const root = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
      const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
      for (const folder of ['cmaps', 'standard_fonts', 'wasm'])
        for (const name of await readdir(join(root, folder))) {
          // The pages' policy allows no WebAssembly.
          if (/\.wasm$|quickjs/i.test(name)) continue
          const fileName = `assets/pdfjs-${version}/${folder}/${name}`
          this.emitFile({ type: 'asset', fileName, source: await readFile(join(root, folder, name)) })
        }
    },
  }
}

export default defineConfig(({ command }) => {
  // A build is always for production, also if the calling process has another NODE_ENV.
  if (command === 'build') process.env.NODE_ENV = 'production'
  return {
    plugins: [languages(), unused(), iconKeys(), react(), tailwindcss(), earlyFont(), pdfData(), compressed()],
    resolve: {
      alias: {
        '@ungap/structured-clone': resolve(import.meta.dirname, 'src/platform/stand-ins/structured-clone.ts'),
        'style-to-object': resolve(import.meta.dirname, 'src/platform/stand-ins/no-styles.ts'),
      },
    },
    worker: { format: 'es' },
    build: {
      target: 'es2023',
      // Browsers that know :dir(): for older ones it would become a list of languages, which says nothing of a text's own.
      cssTarget: ['chrome120', 'firefox125', 'safari17'],
      // Every asset is a file of our own origin, so the content security policy needs no data: for fonts.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: {
        checks: { bundlerTimings: false },
        output: {
          codeSplitting: {
            groups: [
              // One file for what every page needs,
              { name: 'start', tags: ['$initial'], priority: 1 },
              // and one for the small parts that most sections are made of. They import no section, so no file waits for
              // one that waits for it.
              {
                name: 'parts',
                test: /[\\/](web[\\/]src[\\/](ui|platform)|react-query|query-core|lucide-react)[\\/](?!markdown[\\/](?!gfm))/,
                minShareCount: 4,
              },
              // Most sections name folders and agents, and five show chats: one file for each of these, too.
              {
                name: 'names',
                test: /[\\/]web[\\/]src[\\/](access|agents|drive)[\\/](?!session[\\/]whole|uploads|preview)/,
                minShareCount: 4,
              },
              // Chats take files and show passages, but not before somebody does something.
              { name: 'files', test: /[\\/]web[\\/]src[\\/]drive[\\/](uploads|preview)[\\/]/, minShareCount: 4 },
              {
                name: 'agent-parts',
                test: /[\\/]web[\\/]src[\\/](agents|ui[\\/]overlays)[\\/]/,
                minShareCount: 2,
                priority: 1,
              },
              { name: 'chat-parts', test: /[\\/]web[\\/]src[\\/]chats[\\/](?!start[\\/])/, minShareCount: 2 },
            ],
          },
        },
      },
    },
    server: { proxy: { '/v1': 'http://127.0.0.1:3000' } },
  }
})
