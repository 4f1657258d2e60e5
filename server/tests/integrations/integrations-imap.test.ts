import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../support/database/database.ts'
import { everyRow } from '../support/every-row.ts'
import { startServerProcess } from '../support/processes/server-process.ts'
import { mailOf, makeCertificate, startImapServer } from '../support/sources/imap-server.ts'
import { linkedFoldersOf } from '../support/sources/linked-folders.ts'
import { shareTestApps, startTestApp } from '../support/test-app.ts'

shareTestApps()

const ALLOWED = { DOCENT_OUTBOUND_ALLOW: '127.0.0.1/32' }

async function start() {
  const imap = await startImapServer()
  const app = await startTestApp(ALLOWED)
  const linked = linkedFoldersOf(app)
  const link = (changes: Record<string, unknown> = {}) =>
    linked.create({ kind: 'imap', config: { ...imap.config, ...changes } })
  return {
    ...app,
    ...imap,
    ...linked,
    link,
    linkAndSync: (changes?: Record<string, unknown>) => linked.whenMade(link(changes)),
  }
}

const withAttachment = (name: string, text: string) =>
  mailOf({
    raw: [
      'From: Ada <ada@example.com>',
      'To: Bo <Bo@Example.com>, team@example.com',
      'Subject: =?utf-8?Q?Gr=C3=B6=C3=9Fe_des_Leuchtturms?=',
      'Date: Tue, 31 Mar 2026 11:30:00 +0200',
      'Message-ID: <tower@example.com>',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain; charset=utf-8',
      '',
      'The measures are attached.',
      '--b',
      'Content-Type: text/plain; charset=utf-8',
      `Content-Disposition: attachment; filename="${name}"`,
      '',
      text,
      '--b--',
      '',
    ].join('\r\n'),
  })

test('mail folders become folders and messages files, found by what is attached; trash is left out', async () => {
  const { linkAndSync, put, tree, rows, call } = await start()
  await put('INBOX', withAttachment('tower.txt', 'The lighthouse is ninety metres tall.'))
  await put('Projects/Ä & b', { subject: 'Second' })
  await put('Trash', { subject: 'Thrown away' })
  const made = await linkAndSync()
  expect(made).toMatchObject({ status: 'idle', error_message: null, config: { password: '••••••••' } })
  expect(await tree(made.knowledge_base_id)).toEqual([
    'INBOX/',
    'INBOX/Größe des Leuchtturms',
    'Projects/',
    'Projects/Ä & b/',
    'Projects/Ä & b/Second',
  ])
  const list = `/knowledge-bases/${made.knowledge_base_id}/data-sources?recursive=true`
  const all = (await call('GET', list)).body.data.data_sources
  expect(all.find(({ title }: any) => title?.startsWith('Gr'))).toMatchObject({
    source_type: 'imap_message',
    file_name: 'Größe des Leuchtturms.eml',
    metadata: {
      from: 'ada@example.com',
      to: ['bo@example.com', 'team@example.com'],
      sent_at: '2026-03-31T09:30:00Z',
      message_id: '<tower@example.com>',
    },
  })
  const search = async () =>
    (await call('GET', `/knowledge-bases/${made.knowledge_base_id}/search?query=ninety%20metres`)).body.data.results
  await expect.poll(async () => (await search())[0]?.text, { timeout: 15_000 }).toContain('ninety metres tall')
  expect(await rows(made.knowledge_base_id)).toEqual([])
})

test('what is new, gone, moved or renamed is followed without reading the rest; flags change nothing', async () => {
  const { linkAndSync, put, sync, tree, services, remove, move, writer, sent } = await start()
  for (const n of [1, 2, 3]) await put('INBOX', { subject: `in ${n}` })
  // Its number is that of a message of the inbox, whose place it takes later.
  for (const n of [1, 2, 3]) await put('Old', { subject: `old ${n}` })
  await put('Boxes/one', { subject: 'kept' })
  const made = await linkAndSync()
  const ids = async () => {
    const files = await services.db.selectFrom('data_source').select(['id', 'title', 'sha256']).execute()
    return new Map(files.map(({ id, title }) => [title, id]))
  }
  const before = await ids()
  expect(await sync(made.id)).toMatchObject({ status: 'idle', error_message: null })

  await put('INBOX', { subject: 'in 4' })
  await remove('INBOX', '1')
  await move('INBOX', '2', 'Old')
  await remove('Old', '3')
  await writer.mailboxRename('Boxes/one', 'Boxes/two')
  await writer.mailboxOpen('INBOX')
  await writer.messageFlagsAdd('3', ['\\Seen'], { uid: true })
  await writer.mailboxClose()
  expect(await sync(made.id)).toMatchObject({ status: 'idle', error_message: null })
  expect(await tree(made.knowledge_base_id)).toEqual([
    'Boxes/',
    'Boxes/two/',
    'Boxes/two/kept',
    'INBOX/',
    'INBOX/in 3',
    'INBOX/in 4',
    'Old/',
    'Old/in 2',
    'Old/old 1',
    'Old/old 2',
  ])
  const after = await ids()
  for (const title of ['in 2', 'in 3', 'old 1', 'old 2', 'kept']) expect(after.get(title)).toBe(before.get(title))

  const count = sent()
  expect(await sync(made.id)).toMatchObject({ status: 'idle', progress: { problems: 0 } })
  // Greeting, login, the list, and the state of each mail folder: no message is asked for.
  expect(sent() - count).toBeLessThan(20)
  expect((await tree(made.knowledge_base_id)).length).toBe(10)
})

test('a mail folder that was made anew has its messages compared, and none is read again', async () => {
  const { linkAndSync, put, sync, tree, services, writer, intercept } = await start()
  const mails = [1, 2, 3].map((n) => mailOf({ subject: `mail ${n}` }))
  for (const mail of mails) await put('Box', mail)
  const made = await linkAndSync()
  const ids = async () =>
    (await services.db.selectFrom('data_source').select('id').orderBy('title').execute()).map(({ id }) => id)
  const before = await ids()
  await writer.mailboxDelete('Box')
  await put('Other', { subject: 'first here' })
  for (const mail of mails) await put('Other', mail)
  let reads = 0
  intercept((text) => {
    if (/BODY\.PEEK\[\]/.test(text)) reads++
    return false
  })
  expect(await sync(made.id)).toMatchObject({ status: 'idle', error_message: null })
  expect(await tree(made.knowledge_base_id)).toEqual([
    'INBOX/',
    'Other/',
    'Other/first here',
    'Other/mail 1',
    'Other/mail 2',
    'Other/mail 3',
  ])
  expect(await ids()).toEqual(expect.arrayContaining(before))
  expect(reads).toBe(1)
})

test('mail folders and messages are chosen by name, date and pattern', async () => {
  const { linkAndSync, put, tree, call, settled } = await start()
  await put('INBOX', { subject: 'Invoice 7' })
  await put('INBOX', { subject: 'Lunch' })
  await put('Work/Deep', { subject: 'Invoice 8' })
  await put('Trash', { subject: 'Invoice 9' })
  await put('Private', { subject: 'Invoice 10' })
  const made = await linkAndSync({ mailboxes: ['inbox', 'Work', 'Trash'], include: ['Invoice*'] })
  const chosen = [
    'INBOX/',
    'INBOX/Invoice 7',
    'Trash/',
    'Trash/Invoice 9',
    'Work/',
    'Work/Deep/',
    'Work/Deep/Invoice 8',
  ]
  expect(await tree(made.knowledge_base_id)).toEqual(chosen)
  const change = async (config: Record<string, unknown>) => {
    expect((await call('PATCH', `/integrations/${made.id}`, { config })).status).toBe(200)
    await settled(made.id)
    return tree(made.knowledge_base_id)
  }
  expect(await change({ include: null, mailboxes: ['INBOX'] })).toEqual(['INBOX/', 'INBOX/Invoice 7', 'INBOX/Lunch'])
  expect(await change({ since: '2099-01-01' })).toEqual(['INBOX/'])
})

test('settings that lead to no mail are refused, each at its field, and none sends the password elsewhere', async () => {
  const { link, linkAndSync, call, port } = await start()
  const test = (changes: Record<string, unknown>) => link(changes)
  await everyRow(
    [
      ['no host', { host: undefined }, 'config.host', ''],
      ['an address of the web', { host: 'https://mail.example.com' }, 'config.host', 'name of a mail server'],
      ['a private address', { host: '10.0.0.1' }, 'config.host', 'DOCENT_OUTBOUND_ALLOW'],
      ['this machine in another notation', { host: '0x7f.2' }, 'config.host', 'DOCENT_OUTBOUND_ALLOW'],
      ['nobody there', { port: 1 }, 'config.host', 'reached'],
      ['no TLS there', { security: 'tls' }, 'config.security', 'TLS'],
      ['no STARTTLS there', { security: 'starttls' }, 'config.security', 'STARTTLS'],
      ['another password', { password: 'wrong' }, 'config.password', 'credentials'],
      ['no password', { password: undefined }, 'config.password', ''],
      ['a mail folder that is not there', { mailboxes: ['INBOX', 'Absent'] }, 'config.mailboxes', 'Absent'],
      ['no date', { since: 'yesterday' }, 'config.since', 'date'],
    ],
    async (_, changes: Record<string, unknown>, path, says) => {
      const reply = await test(changes)
      expect(reply).toMatchObject({ status: 400, body: { error_code: 'VALIDATION_ERROR', details: [{ path }] } })
      expect(reply.body.message).toContain(says)
      expect(JSON.stringify(reply.body)).not.toContain('secretword')
    },
  )
  const made = await linkAndSync()
  for (const config of [{ port: port + 1 }, { host: 'localhost' }, { security: 'starttls' }, { username: 'other' }]) {
    const reply = await call('PATCH', `/integrations/${made.id}`, { config })
    expect(reply).toMatchObject({ status: 400, body: { details: [{ path: 'config.password' }] } })
  }
})

test('TLS and STARTTLS are used with a certificate that is trusted, and refused without', async () => {
  if (process.env.TEST_IMAP_SERVER) return
  const certificate = await makeCertificate()
  const { create, whenMade } = linkedFoldersOf(await startTestApp(ALLOWED))
  const trusted = getCACertificates('default')
  onTestFinished(() => setDefaultCACertificates(trusted))
  for (const security of ['tls', 'starttls']) {
    setDefaultCACertificates(trusted)
    const imap = await startImapServer({ tls: certificate, plugins: security === 'starttls' ? ['STARTTLS'] : [] })
    await imap.put('INBOX', { subject: 'sealed' })
    const seen: string[] = []
    imap.intercept((text) => {
      seen.push(text)
      return false
    })
    const link = () => create({ kind: 'imap', knowledge_base_name: security, config: { ...imap.config, security } })
    const refused = await link()
    expect(refused).toMatchObject({ status: 400, body: { details: [{ path: 'config.host' }] } })
    expect(refused.body.message).toContain('certificate')
    setDefaultCACertificates([...trusted, certificate.cert])
    expect(await whenMade(link())).toMatchObject({ status: 'idle', progress: { done: 1 } })
    expect(seen.join('')).not.toContain('secretword')
  }
})

test('a server that goes away fails the sync and takes nothing away; a message that cannot be read is tried again', async () => {
  const { linkAndSync, put, sync, tree, problems, intercept } = await start()
  for (const n of [1, 2, 3, 4]) await put('INBOX', { subject: `mail ${n}` })
  const made = await linkAndSync()
  const all = await tree(made.knowledge_base_id)
  await put('INBOX', { subject: 'mail 5' })
  intercept((text, socket) => {
    if (!/UID SEARCH/.test(text)) return false
    socket.destroy()
    return true
  })
  const failed = await sync(made.id)
  expect(failed).toMatchObject({ status: 'failed', last_synced_at: made.last_synced_at })
  expect(failed.error_message).toContain('cannot be reached')
  expect(await tree(made.knowledge_base_id)).toEqual(all)

  await put('INBOX', { subject: 'mail 6' })
  intercept((text, socket) => {
    const [, tag] = /^(\S+) UID FETCH 5 .*BODY/.exec(text) ?? []
    if (tag) socket.write(`${tag} NO it is locked\r\n`)
    return tag !== undefined
  })
  expect(await sync(made.id)).toMatchObject({ status: 'idle', progress: { problems: 1 } })
  const [problem] = await problems(made.id)
  expect(problem.path).toMatch(/^INBOX\//)
  expect(problem.reason).toContain('it is locked')
  expect(await tree(made.knowledge_base_id)).toEqual([...all, 'INBOX/mail 6'])
  intercept(() => false)
  expect(await sync(made.id)).toMatchObject({ status: 'idle', error_message: null })
  expect(await tree(made.knowledge_base_id)).toEqual([...all, 'INBOX/mail 5', 'INBOX/mail 6'])
})

test('a message over the limit is named at each sync and brought once it fits', async () => {
  const imap = await startImapServer()
  const app = await startTestApp({ ...ALLOWED, DOCENT_MAX_UPLOAD_BYTES: '20000' })
  const { create, whenMade, sync, tree, problems } = linkedFoldersOf(app)
  await imap.put('INBOX', { subject: 'large', text: 'word '.repeat(5_000) })
  await imap.put('INBOX', { subject: 'small' })
  const made = await whenMade(create({ kind: 'imap', config: imap.config }))
  for (let n = 0; n < 2; n++) {
    expect((await problems(made.id))[0].reason).toContain('20000 bytes')
    expect(await tree(made.knowledge_base_id)).toEqual(['INBOX/', 'INBOX/small'])
    await sync(made.id)
  }
})

test('a server killed in the middle of a sync goes on at its next start, with each message once', async () => {
  const imap = await startImapServer()
  for (let n = 0; n < 90; n++) await imap.put(`Box ${n % 3}`, { subject: `mail ${n}` })
  const settings = { ...ALLOWED, DATA_DIR: await temporaryFolder() }
  const app = await startTestApp(settings, { work: false })
  await app.close()
  const headers = { 'x-api-key': app.owner.apiKey, 'content-type': 'application/json' }
  const first = await startServerProcess(settings)
  const fields = { kind: 'imap', knowledge_base_name: 'Mail', config: { ...imap.config, requests_per_second: 40 } }
  const made = await fetch(`${first.url}/v1/integrations`, { method: 'POST', headers, body: JSON.stringify(fields) })
  const { id, knowledge_base_id } = ((await made.json()) as any).data
  const items = async (url: string) => {
    const path = `/v1/knowledge-bases/${knowledge_base_id}/data-sources?recursive=true&page_size=200`
    return ((await (await fetch(url + path, { headers })).json()) as any).data.data_sources as any[]
  }
  await expect.poll(async () => (await items(first.url)).length, { interval: 20, timeout: 20_000 }).toBeGreaterThan(12)
  await first.end('SIGKILL')
  const second = await startServerProcess(settings)
  expect((await items(second.url)).length).toBeLessThan(90)
  const status = async () =>
    ((await (await fetch(`${second.url}/v1/integrations/${id}`, { headers })).json()) as any).data.status
  await expect.poll(status, { timeout: 60_000 }).toBe('idle')
  const titles = (await items(second.url)).flatMap(({ title }) => title ?? [])
  expect(titles.sort()).toEqual(Array.from({ length: 90 }, (_, n) => `mail ${n}`).sort())
  await second.end('SIGTERM')
})
