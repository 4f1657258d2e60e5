// npm start: installs and builds what is missing, then serves on the pinned Node.
import { join } from 'node:path'
import { ensureInstalled } from './install.mjs'
import { continueOnPinnedNode, isPinned, orExit, root, runHere } from './node.mjs'
import { ensureWebBuilt } from './web-build.mjs'

process.env.NODE_ENV ??= 'production'
await orExit(ensureInstalled())
if (!process.argv.includes('--help')) await orExit(ensureWebBuilt())
if (isPinned()) await runHere(join(root, 'server/src/main.ts'))
else await continueOnPinnedNode()
