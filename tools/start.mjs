// npm start: installs and builds what is missing, then serves on the pinned Node.
import { ensureInstalled } from './install.mjs'
import { continueOnPinnedNode, isPinned, orExit, servingFlags, takeServingFlags } from './node.mjs'
import { bundledServer, ensureServerBundled } from './server-build.mjs'
import { ensureWebBuilt, isWebBuilt } from './web-build.mjs'

// npm finds the pinned Node by itself, without flags.
if (isPinned()) takeServingFlags()
process.env.NODE_ENV ??= 'production'
await orExit(ensureInstalled())
if (!isPinned()) await continueOnPinnedNode(servingFlags)
// Calls with arguments (--version, --help, wrong ones) are answered from the sources, without a build.
if (process.argv.length === 2) await orExit(ensureBuilt())
await import('./serve.mjs')

async function ensureBuilt() {
  if (isWebBuilt() && bundledServer()) return
  await checkSettings()
  await ensureWebBuilt()
  await ensureServerBundled()
}

/** Checks the settings before anything slow is built, so that mistakes can be fixed at once. @throws SettingsError */
async function checkSettings() {
  const { readEnv } = await import('../server/src/config/read-env.ts')
  const { toConfig } = await import('../server/src/config.ts')
  const { makeDataDir } = await import('../server/src/data-dir.ts')
  await makeDataDir(toConfig(readEnv()).dataDir)
}
