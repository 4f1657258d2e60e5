// A process that commits rows one after another and prints the id of each once its commit has resolved: to be killed.
import { migrations } from '../../../src/migrations/index.ts'
import { openEmbedded, openEmbeddedBeside } from '../../../src/platform/database/open.ts'

interface Tables {
  organization: { id: string; name: string; created_at: string }
}

const [, , dataDir, how] = process.argv
const open = how === 'shared' ? openEmbeddedBeside<Tables> : openEmbedded<Tables>
const { writes } = await open(dataDir!, migrations)

async function commit(id: string) {
  await writes.commit((tx) => tx.insertInto('organization').values({ id, name: 'x', created_at: '' }).execute())
  process.stdout.write(`${id}\n`)
}

for (let i = 0; ; i += 5) await Promise.all([0, 1, 2, 3, 4].map((j) => commit(`${process.pid}-${i + j}`)))
