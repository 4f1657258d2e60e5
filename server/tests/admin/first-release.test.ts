import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { VERSION } from '../../src/version.ts'
import { temporaryFolder } from '../support/database/database.ts'
import { freshDatabase, postgresAdminUrl } from '../support/database/postgres.ts'
import { runAdmin } from '../support/processes/admin-process.ts'
import { startServerProcess } from '../support/processes/server-process.ts'
import { loadPostgres } from '../support/releases/dump-postgres.ts'
import { caller, findAnswer } from '../support/releases/fill-release.ts'
import { RELEASES, readRelease, writeFiles } from '../support/releases/release-archive.ts'

const versions = readdirSync(RELEASES).map((file) => file.replace(/\.zip$/, ''))

test('data of each version that CHANGELOG.md names is kept', () => {
  const changes = readFileSync(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8')
  const named = [...changes.matchAll(/^## (\d+\.\d+\.\d+)/gm)].map((match) => match[1])
  expect(named.filter((version) => !versions.includes(version!))).toEqual([])
})

test.each(versions.flatMap((version) => [[version, 'embedded'] as const, [version, 'postgres'] as const]))(
  'data of %s is served by this version: %s',
  async (version, kind) => {
    const release = await readRelease(version)
    const { files, filled } = release[kind]
    const DATA_DIR = await temporaryFolder()
    await writeFiles(DATA_DIR, files)
    const settings: Record<string, string> = { DATA_DIR, DOCENT_SAMPLE: 'true' }
    if (kind === 'postgres') {
      const url = await freshDatabase()
      const admin = new URL(await postgresAdminUrl())
      admin.pathname = new URL(url).pathname
      await loadPostgres(admin.href, release.postgres.dump)
      settings.DATABASE_URL = url
    }
    const plan = await runAdmin(settings, 'plan', '--json')
    expect(plan).toMatchObject({ version: VERSION, database: kind })

    const { url, end } = await startServerProcess(settings)
    const { key, agent, chat, message, folder, workspace, person } = filled
    const call = caller(url, key)
    expect(await findAnswer(url, key, filled)).toEqual(filled.answer)
    expect(filled.answer).toMatchObject({
      response: expect.stringContaining('1260'),
      citations: [{ title: 'kiln.md', text: expect.stringContaining('1260') }],
    })
    const { org_knowledge_bases: inside } = await call('GET', `/knowledge-bases?parent_kb_id=${folder}`)
    expect(inside).toMatchObject([{ name: 'Kilns' }])
    const { data_sources: sources } = await call('GET', `/knowledge-bases/${inside[0]._id}/data-sources`)
    expect(sources).toMatchObject([
      { id: filled.file, title: 'kiln.md', status: 'successful', metadata: { department: 'pottery' } },
    ])
    const headers = { 'x-api-key': key }
    const content = await fetch(`${url}/v1/knowledge-bases/${inside[0]._id}/data-sources/${filled.file}/content`, {
      headers,
    })
    expect(await content.text()).toBe(filled.fileText)
    const found = await call('GET', `/knowledge-bases/${folder}/search?query=kiln%20degrees`)
    expect(JSON.stringify(found)).toContain('1260')
    expect(await call('GET', `/workspaces/${workspace}/virtual-users/${person}`)).toMatchObject({
      email: 'ada@example.com',
    })
    expect(await call('GET', `/agents/${agent}/jobs`)).toMatchObject({ jobs: [{ name: 'Check' }] })
    expect(await call('GET', `/agents/${agent}/links`)).toMatchObject({
      links: [{ name: 'Website', is_working: true }],
    })

    // Old chats continue, old keys work and stay narrow, and what is new can be done with what is old.
    const again = await call('POST', `/agents/${agent}/chats/${chat}/query`, {
      query: 'For how many hours does it fire?',
    })
    expect(again.text).toContain('eleven hours')
    const member = caller(url, filled.memberKey)
    expect((await member('POST', `/agents/${agent}/chats`, { title: 'By the website' })).chat.agent_id).toBe(agent)
    await expect(member('GET', `/knowledge-bases/${folder}`)).rejects.toThrow('404')
    await call('PATCH', `/agents/${agent}`, { description: 'Knows kilns' })
    await call('POST', '/projects', { name: 'Yard', knowledge_base_id: folder })
    await call('DELETE', `/agents/${agent}/chats/${chat}/message/${message}`)
    expect(await end('SIGTERM')).toBe(0)

    const after = await runAdmin(settings, 'plan', '--json')
    expect(after.migrations).toEqual([])
    expect(await runAdmin(settings, 'doctor')).toMatchObject({ healthy: true })
  },
)
