import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const COMPRESSIBLE = new Set(['.html', '.js', '.css', '.svg', '.json', '.txt'])
const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/** Writes FILE.br and FILE.gz beside what compresses well: the server then sends bytes that were squeezed once. */
function compressed(): Plugin {
  let outDir = ''
  return {
    name: 'docent:compressed',
    apply: 'build',
    configResolved(config) {
      outDir = join(config.root, config.build.outDir)
    },
    async closeBundle() {
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

export default defineConfig(({ command }) => {
  // Whatever the process that builds calls itself: a build is what people get.
  if (command === 'build') process.env.NODE_ENV = 'production'
  return {
    plugins: [react(), tailwindcss(), compressed()],
    build: {
      target: 'es2023',
      // Every asset is a file of our own origin: the content security policy then needs no data: for fonts.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
    server: { proxy: { '/v1': 'http://127.0.0.1:3000' } },
  }
})
