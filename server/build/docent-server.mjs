#!/usr/bin/env node
// docent-server [admin COMMAND ...]: starts the server, or runs an operator's command, where it is installed as a package.
import { join } from 'node:path'
import { root, runHere, takeServingFlags } from '../../tools/node.mjs'

/** Node that the server is written for; any later one does. */
const OLDEST = 24

const version = process.versions.node
if (Number.parseInt(version, 10) < OLDEST) {
  console.error(
    `The server needs Node ${OLDEST} or newer, and this is ${version}: npx --package=node@${OLDEST} --package=@docent/server docent-server`,
  )
  process.exit(1)
}
process.env.NODE_ENV ??= 'production'
const isAdmin = process.argv[2] === 'admin'
if (isAdmin) process.argv.splice(2, 1)
else takeServingFlags()
await runHere(join(root, `server/src/${isAdmin ? 'admin' : 'main'}.js`), join(root, 'compiled'))
