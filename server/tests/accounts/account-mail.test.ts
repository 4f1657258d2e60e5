import { expect, test } from 'vitest'
import { browser, join, OWN_PAGE, PASSWORD, send, tokenOf } from '../support/access/people.ts'
import { startMailServer } from '../support/mail-server.ts'
import { shareTestApps, startTestApp, type TestApp } from '../support/test-app.ts'

shareTestApps()

const OTHER_PASSWORD = 'ninety clay pots in a row'
const linkIn = (text = ''): string => /https?:\/\/\S+#\S+/.exec(text)![0]
const ask = (app: TestApp, email: string) => send(app, 'POST', '/password-links', OWN_PAGE, { email })

test('an invitation for an e-mail is sent there, and its link works', async () => {
  const server = await startMailServer()
  const app = await startTestApp({ ...server.settings, DOCENT_PUBLIC_URL: 'https://docent.example.com' })
  const path = `/invitations`
  const { body } = await app.call('POST', path, { email: 'mia@example.com', role: 'admin' })
  expect(body.data.is_sent).toBe(true)
  expect(server.mails).toHaveLength(1)
  const { to, mail } = server.mails[0]!
  expect(to).toEqual(['mia@example.com'])
  expect(mail.from).toMatchObject({ name: 'Docent', address: 'docent@example.com' })
  expect(mail.subject).toBe('Invitation to Main of Test')
  expect(mail.html).toBeUndefined()
  const url = linkIn(mail.text)
  expect(url).toBe(body.data.url)
  expect(url).toMatch(/^https:\/\/docent\.example\.com\/join#/)
  const accept = { token: tokenOf(url), email: 'mia@example.com', name: 'Mia', password: PASSWORD }
  expect((await browser(app).call('POST', '/invitations/accept', accept)).status).toBe(200)
  expect((await app.call('POST', path, {})).body.data.is_sent).toBe(false)
  expect(server.mails).toHaveLength(1)
})

test('names cannot add lines to the head of an e-mail, nor recipients', async () => {
  const server = await startMailServer()
  const app = await startTestApp(server.settings)
  await app.services.db.updateTable('organization').set({ name: 'Test\r\nBcc: eve@example.com' }).execute()
  const path = `/invitations`
  for (const email of [
    'mia@example.com, eve@example.com',
    'mia@example.com\r\nBcc: eve@example.com',
    '<mia@example.com>',
  ])
    expect((await app.call('POST', path, { email })).status).toBe(400)
  await app.call('POST', path, { email: 'mia@example.com' })
  expect(server.mails.map(({ to }) => to)).toEqual([['mia@example.com']])
  expect(server.mails[0]!.mail.bcc).toBeUndefined()
})

test('an invitation that the mail server refuses is there all the same', async () => {
  const server = await startMailServer({ refuses: true })
  const lines: string[] = []
  const app = await startTestApp({ ...server.settings, LOG_LEVEL: 'warn' }, { logTo: (line) => lines.push(line) })
  const path = `/invitations`
  const { status, body } = await app.call('POST', path, { email: 'mia@example.com' })
  expect(status).toBe(200)
  expect(body.data).toMatchObject({ is_sent: false, url: expect.stringContaining('/join#') })
  const told = lines.join('')
  expect(told).toContain('an invitation could not be sent')
  expect(told).not.toContain(tokenOf(body.data.url))
  expect(told).not.toContain('s3cret')
})

test('a forgotten password is set with the link that is sent', async () => {
  const server = await startMailServer()
  const app = await startTestApp(server.settings)
  const mia = await join(app, { email: 'mia@example.com', role: 'member' })
  expect((await browser(app).call('GET', '/session/options')).body.data).toEqual({
    passkeys: false,
    password_by_email: true,
    providers: [],
  })
  expect(await ask(app, 'Mia@example.com')).toMatchObject({ status: 200, body: { data: { requested: true } } })
  await expect.poll(() => server.mails.length).toBe(1)
  const { to, mail } = server.mails[0]!
  expect(to).toEqual(['mia@example.com'])
  // A second one does not end the first: nobody keeps somebody out by asking again.
  await ask(app, 'mia@example.com')
  await expect.poll(() => server.mails.length).toBe(2)
  const use = { token: tokenOf(linkIn(mail.text)), password: OTHER_PASSWORD }
  expect((await browser(app).call('POST', '/password-links/use', use)).status).toBe(200)
  expect((await mia.call('GET', '/me')).status).toBe(401)
  // With the first that is used all others end.
  const second = { token: tokenOf(linkIn(server.mails[1]!.mail.text)), password: PASSWORD }
  expect((await browser(app).call('POST', '/password-links/use', second)).status).toBe(404)
})

test('neither answers nor limits reveal who has an account, and nobody is flooded', async () => {
  const server = await startMailServer()
  const app = await startTestApp(server.settings)
  await join(app, { email: 'mia@example.com', role: 'member' })
  const outcome = async (email: string) => {
    const replies = []
    for (let i = 0; i < 4; i++) replies.push(await ask(app, email))
    return replies.map(({ status, body }) => ({
      status,
      text: JSON.stringify(body).replace(/\d+ s/, 'N s'),
    }))
  }
  const known = await outcome('mia@example.com')
  expect(known.map(({ status }) => status)).toEqual([200, 200, 200, 429])
  expect(await outcome('eve@example.com')).toEqual(known)
  await expect.poll(() => server.mails.length).toBe(3)
  // Pages of others cannot ask for it.
  const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  expect((await send(app, 'POST', '/password-links', headers, { email: 'mia@example.com' })).status).toBe(403)
  expect((await send(app, 'GET', '/session/options', headers)).status).toBe(403)
})

test('without a mail server an admin makes the link', async () => {
  const app = await startTestApp()
  expect((await browser(app).call('GET', '/session/options')).body.data).toEqual({
    passkeys: false,
    password_by_email: false,
    providers: [],
  })
  expect(await ask(app, 'mia@example.com')).toMatchObject({ status: 409, body: { error_code: 'EMAIL_NOT_SET_UP' } })
  await expect(startTestApp({ SMTP_URL: 'smtp://127.0.0.1:25' })).rejects.toMatchObject({
    problems: ['SMTP_FROM: is not set, but SMTP_URL is; set it to the sender of e-mails'],
  })
})
