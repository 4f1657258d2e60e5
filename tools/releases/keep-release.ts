// node tools/run.mjs tools/releases/keep-release.ts [CHECKOUT]: keeps data of this version for the tests of later ones,
// as server/tests/releases/VERSION.zip. A CHECKOUT of another version keeps that one's.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createDatabase, startPostgres } from '../../server/tests/support/database/postgres-server.ts'
import { launchServer } from '../../server/tests/support/processes/launch-server.ts'
import { dumpPostgres, loadPostgres } from '../../server/tests/support/releases/dump-postgres.ts'
import { fillRelease } from '../../server/tests/support/releases/fill-release.ts'
import { readFiles, writeRelease } from '../../server/tests/support/releases/release-archive.ts'

const checkout = resolve(process.argv[2] ?? join(import.meta.dirname, '../..'))
const { version } = JSON.parse(await readFile(join(checkout, 'package.json'), 'utf8'))

const postgres = await startPostgres()
try {
  const asSuperuser = (url: string) => {
    const own = new URL(postgres.adminUrl)
    own.pathname = new URL(url).pathname
    return own.href
  }
  const url = await createDatabase(postgres.adminUrl)
  const embedded = await keep({})
  const onPostgres = await keep({ DATABASE_URL: url })
  const dump = await dumpPostgres(asSuperuser(url))
  const again = await createDatabase(postgres.adminUrl)
  await loadPostgres(asSuperuser(again), dump)
  if (JSON.stringify(await dumpPostgres(asSuperuser(again))) !== JSON.stringify(dump))
    throw new Error('the dump lacks something: the database that is made from it differs')
  console.log(await writeRelease({ version, embedded, postgres: { ...onPostgres, dump } }))
} finally {
  await postgres.stop()
}

/** Runs a server of that checkout on empty data, and gives what it left. */
async function keep(settings: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'docent-release-'))
  try {
    const main = [join(checkout, 'server/src/main.ts')]
    const server = await launchServer({ DATA_DIR: folder, ...settings }, undefined, main)
    const filled = await fillRelease(server.url, (await readFile(join(folder, 'owner-key'), 'utf8')).trim())
    if ((await server.end('SIGTERM')) !== 0) throw new Error('the server did not stop in order')
    return { files: await readFiles(folder), filled }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}
