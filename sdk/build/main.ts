// npm run build -w sdk: makes the package that is published, in sdk/dist; those of other folders alike.
import { join } from 'node:path'
import { buildPackage } from './package.ts'

const name = process.argv[2] ?? 'sdk'
const folder = join(import.meta.dirname, '../..', name, 'dist')
await buildPackage(folder, name)
console.log(`${folder} is ready: npm pack ${folder}, or npm publish ${folder}`)
