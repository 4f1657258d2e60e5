// npm run build -w cli: makes the package that is published, in cli/dist.
import { join } from 'node:path'
import { buildCommandLine } from './package.ts'

const folder = join(import.meta.dirname, '../dist')
await buildCommandLine(folder)
console.log(`${folder} is ready: npm pack ${folder}, or npm publish ${folder}`)
