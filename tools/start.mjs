// npm start: installs and builds what is missing, then serves on the pinned Node.
import { ensureInstalled } from './install.mjs'
import { continueOnPinnedNode, isPinned, orExit } from './node.mjs'
import { ensureWebBuilt } from './web-build.mjs'

process.env.NODE_ENV ??= 'production'
await orExit(ensureInstalled())
if (!process.argv.includes('--help')) await orExit(ensureWebBuilt())
if (isPinned()) await import('./serve.mjs')
else await continueOnPinnedNode()
