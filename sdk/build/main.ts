// npm run build -w sdk: makes the package that is published, in sdk/dist.
import { join } from 'node:path'
import { buildPackage } from './package.ts'

const folder = join(import.meta.dirname, '../dist')
await buildPackage(folder)
console.log(`${folder} is ready: npm pack ${folder}, or npm publish ${folder}`)
