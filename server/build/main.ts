// npm run build -w server: makes the package that is published, in server/dist/package.
import { join } from 'node:path'
import { ensureWebBuilt } from '../../tools/web-build.mjs'
import { buildServer } from './package.ts'

const folder = join(import.meta.dirname, '../dist/package')
await ensureWebBuilt()
buildServer(folder)
console.log(`${folder} is ready: npm pack ${folder}, or npm publish ${folder}`)
