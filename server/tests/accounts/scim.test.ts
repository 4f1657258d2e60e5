import { describe, expect, onTestFinished, test } from 'vitest'
import { logIn, providerSettings, startOpenIdProvider } from '../support/access/openid-provider.ts'
import { browser, join, OWN_PAGE, PASSWORD, send, tokenOf } from '../support/access/people.ts'
import { BARBARA, directory, find, members, patch, USER, withToken } from '../support/access/scim.ts'
import { everyRow } from '../support/every-row.ts'
import { shareTestApps, startTestApp, type TestApp } from '../support/test-app.ts'

shareTestApps()

describe('the protocol', () => {
  test('says what it does', async () => {
    const { scim } = await directory(await startTestApp())
    expect((await scim('GET', '/ServiceProviderConfig')).body).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      filter: { supported: true, maxResults: 200 },
      etag: { supported: true },
      authenticationSchemes: [{ type: 'oauthbearertoken' }],
    })
    expect((await scim('GET', '/ResourceTypes')).body).toMatchObject({
      totalResults: 1,
      Resources: [{ id: 'User', endpoint: '/Users', schema: USER }],
    })
    expect((await scim('GET', `/Schemas/${USER}`)).body).toMatchObject({ id: USER, name: 'User' })
    expect((await scim('GET', '/Groups')).body).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: '404',
      detail: expect.stringContaining('Users only'),
    })
  })

  test('takes its own tokens alone, and these open nothing else', async () => {
    const app = await startTestApp()
    const { token, id, scim } = await directory(app)
    for (const wrong of [null, app.owner.apiKey, `${token.slice(0, -1)}x`]) {
      const refused = await withToken(app, wrong).scim('GET', '/Users')
      expect(refused).toMatchObject({ status: 401, body: { status: '401' } })
      expect(refused.headers.get('www-authenticate')).toContain('Bearer')
    }
    for (const path of ['/me', '/agents', `/members`])
      expect((await app.call('GET', path, undefined, { key: token })).status).toBe(401)
    expect(await send(app, 'POST', '/session', OWN_PAGE, { api_key: token })).toMatchObject({ status: 401 })
    const path = `/workspaces/${app.owner.workspaceId}/scim-tokens`
    expect((await app.call('GET', path)).body.data).toMatchObject({
      base_url: `${app.url}/scim/v2`,
      scim_tokens: [{ id, name: 'Entra', prefix: token.slice(0, 8), role: 'owner' }],
    })
    expect(JSON.stringify((await app.call('GET', path)).body)).not.toContain(token)
    const stored = await app.services.db.selectFrom('api_key').selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain(token)
    expect((await app.call('GET', `/workspaces/${app.owner.workspaceId}/api-keys`)).body.data.total).toBe(1)
    expect((await scim('GET', '/Users')).status).toBe(200)
    expect((await app.call('DELETE', `${path}/${id}`)).status).toBe(200)
    expect((await scim('GET', '/Users')).status).toBe(401)
    const member = await join(app, { email: 'mo@example.com', role: 'member' })
    expect(await member.call('POST', path, { name: 'x' })).toMatchObject({ status: 403 })
  })

  test('makes a member, as in the RFC, and refuses a second one', async () => {
    const app = await startTestApp()
    const { scim } = await directory(app)
    const made = await scim('POST', '/Users', BARBARA)
    const { id } = made.body
    expect(made.status).toBe(201)
    expect(made.headers.get('location')).toBe(`${app.url}/scim/v2/Users/${id}`)
    expect(made.headers.get('etag')).toBe(made.body.meta.version)
    expect(made.body).toMatchObject({
      ...BARBARA,
      emails: [{ value: 'barbara@example.com', type: 'work', primary: true }],
      active: true,
      meta: { resourceType: 'User', location: `${app.url}/scim/v2/Users/${id}` },
    })
    expect((await scim('GET', `/Users/${id}`)).body).toEqual(made.body)
    expect(await members(app)).toMatchObject([
      { email: 'barbara@example.com', name: 'Ms. Barbara J Jensen III', role: 'member' },
    ])
    const twice = { status: 409, body: { status: '409', scimType: 'uniqueness' } }
    expect(await scim('POST', '/Users', { ...BARBARA, userName: 'BJensen' })).toMatchObject(twice)
    expect(await scim('POST', '/Users', { userName: 'other', emails: BARBARA.emails })).toMatchObject(twice)
    const audit = await app.call('GET', `/workspaces/${app.owner.workspaceId}/audit-log`)
    expect(JSON.stringify(audit.body)).toContain('scim_token.created')
  })

  test('finds people by filters, in pages, and with the attributes that are asked for', async () => {
    const app = await startTestApp()
    const { scim } = await directory(app)
    const mo = await join(app, { email: 'mo@example.com', role: 'member' })
    for (const name of ['ann', 'bea', 'cem'])
      await scim('POST', '/Users', { userName: `${name}@example.com`, externalId: name, active: name !== 'cem' })
    const names = (body: any) => body.Resources.map(({ userName }: any) => userName.split('@')[0])
    expect(names(await find(scim, 'userName eq "ANN@example.com"'))).toEqual(['ann'])
    expect(names(await find(scim, `${USER}:userName eq "bea@example.com"`))).toEqual(['bea'])
    expect(names(await find(scim, 'externalId eq "bea"'))).toEqual(['bea'])
    expect(names(await find(scim, 'externalId eq "BEA"'))).toEqual([])
    expect(names(await find(scim, 'active eq false'))).toEqual(['cem'])
    expect(names(await find(scim, 'active eq true')).sort()).toEqual(['ann', 'bea', 'mo'])
    expect(names(await find(scim, 'active eq true and userName eq "ann@example.com"'))).toEqual(['ann'])
    expect(names(await find(scim, 'emails[type eq "work"].value eq "Mo@example.com"'))).toEqual(['mo'])
    expect(await find(scim, 'userName eq "7d8f-nobody"')).toMatchObject({ totalResults: 0, Resources: [] })
    // Somebody whom the directory did not make has the id of the member.
    expect((await find(scim, 'userName eq "mo@example.com"')).Resources[0].id).toBe(mo.memberId)
    const pages = []
    for (const start of [1, 3, 5]) pages.push((await scim('GET', `/Users?startIndex=${start}&count=2`)).body)
    expect(pages.map(({ totalResults, itemsPerPage, startIndex }) => [totalResults, itemsPerPage, startIndex])).toEqual(
      [
        [4, 2, 1],
        [4, 2, 3],
        [4, 0, 5],
      ],
    )
    expect(new Set(pages.flatMap(names)).size).toBe(4)
    expect((await scim('GET', '/Users?count=0&startIndex=-1')).body).toMatchObject({ totalResults: 4, startIndex: 1 })
    const only = (await scim('GET', '/Users?attributes=userName,meta.location&count=1')).body.Resources[0]
    expect(Object.keys(only).sort()).toEqual(['id', 'meta', 'schemas', 'userName'])
    expect(Object.keys(only.meta)).toEqual(['location'])
    expect((await scim('GET', '/Users?excludedAttributes=emails&count=1')).body.Resources[0].emails).toBeUndefined()
  })

  test('knows versions: of two who change the same, the second is refused', async () => {
    const { scim } = await directory(await startTestApp())
    const { id, meta } = (await scim('POST', '/Users', BARBARA)).body
    const path = `/Users/${id}`
    expect((await scim('GET', path, undefined, { 'if-none-match': meta.version })).status).toBe(304)
    const change = patch({ op: 'replace', path: 'displayName', value: 'Babs' })
    const changed = await scim('PATCH', path, change, { 'if-match': meta.version })
    expect(changed).toMatchObject({ status: 200, body: { displayName: 'Babs' } })
    expect(changed.body.meta.version).not.toBe(meta.version)
    const late = await scim('PATCH', path, change, { 'if-match': meta.version })
    expect(late).toMatchObject({ status: 412, body: { status: '412' } })
    expect(await scim('DELETE', path, undefined, { 'if-match': meta.version })).toMatchObject({ status: 412 })
  })

  test('refuses wrong input in the form of the RFC', async () => {
    const { scim } = await directory(await startTestApp())
    const { id } = (await scim('POST', '/Users', BARBARA)).body
    const patched = (...operations: object[]) => scim('PATCH', `/Users/${id}`, patch(...operations))
    const filtered = (filter: string) => scim('GET', `/Users?filter=${encodeURIComponent(filter)}`)
    await everyRow<[string, () => Promise<any>]>(
      [
        ['invalidFilter', () => filtered('userName co "x"')],
        ['invalidFilter', () => filtered('userName eq')],
        ['invalidFilter', () => filtered('userName eq "a" or userName eq "b"')],
        ['invalidFilter', () => filtered('title eq "x"')],
        ['invalidFilter', () => filtered('')],
        ['invalidSyntax', () => scim('GET', '/Users?count=many')],
        ['invalidSyntax', () => scim('POST', '/Users', [])],
        ['invalidSyntax', () => scim('POST', '/Users')],
        ['invalidValue', () => scim('POST', '/Users', {})],
        ['invalidValue', () => scim('POST', '/Users', { userName: 'no e-mail' })],
        ['invalidValue', () => scim('POST', '/Users', { userName: 'x', emails: [{ value: 'no e-mail' }] })],
        ['invalidValue', () => scim('POST', '/Users', { userName: 'x@example.com', active: 'perhaps' })],
        ['invalidValue', () => scim('POST', '/Users', { userName: 'x'.repeat(300) })],
        ['invalidSyntax', () => scim('PATCH', `/Users/${id}`, {})],
        ['invalidSyntax', () => patched({ op: 'move', path: 'active' })],
        ['noTarget', () => patched({ op: 'remove' })],
        ['invalidPath', () => patched({ op: 'replace', path: 'emails[', value: 'x' })],
        ['invalidValue', () => patched({ op: 'remove', path: 'userName' })],
        ['invalidValue', () => patched({ op: 'remove', path: 'active' })],
        ['invalidValue', () => patched({ op: 'replace', path: 'active', value: 'no' })],
        ['invalidValue', () => patched({ op: 'replace', path: 'active' })],
      ],
      async (scimType, ask) => {
        expect(await ask()).toMatchObject({
          status: 400,
          body: { status: '400', scimType, detail: expect.any(String) },
        })
      },
    )
    expect((await scim('GET', `/Users/${id}`)).body).toMatchObject({ userName: 'bjensen', active: true })
    expect(await scim('GET', '/Users/0')).toMatchObject({ status: 404, body: { status: '404' } })
  })
})

describe('what Entra and Okta send', () => {
  test('Entra: a user with an extension, then changes by path and without one', async () => {
    const app = await startTestApp()
    const { scim } = await directory(app)
    const made = await scim('POST', '/Users', {
      schemas: [USER, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'],
      externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
      userName: 'Test_User_ab6490ee@example.com',
      active: true,
      emails: [{ primary: true, type: 'work', value: 'Test_User_fd0ea19b@example.com' }],
      meta: { resourceType: 'User' },
      name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
      roles: [],
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'bob' },
    })
    expect(made.status).toBe(201)
    const path = `/Users/${made.body.id}`
    const several = await scim(
      'PATCH',
      path,
      patch(
        { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updatedEmail@example.com' },
        { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
        { op: 'Add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', value: 'x' },
        { op: 'Add', path: 'addresses[type eq "work"].country', value: 'DE' },
        { op: 'Replace', path: 'displayName', value: 'New Name' },
      ),
    )
    expect(several).toMatchObject({
      status: 200,
      body: {
        emails: [{ value: 'updatedemail@example.com' }],
        name: { familyName: 'updatedFamilyName', givenName: 'givenName' },
        displayName: 'New Name',
      },
    })
    expect(await members(app)).toMatchObject([{ email: 'updatedemail@example.com', name: 'New Name' }])
    const dotted = { 'name.givenName': 'Gigi', userName: '5b50642d@example.com', [`${USER}:displayName`]: 'Gigi X' }
    expect(await scim('PATCH', path, patch({ op: 'replace', value: dotted }))).toMatchObject({
      body: { userName: '5b50642d@example.com', name: { givenName: 'Gigi' }, displayName: 'Gigi X' },
    })
    const off = await scim('PATCH', path, patch({ op: 'Replace', path: 'active', value: 'False' }))
    expect(off).toMatchObject({ status: 200, body: { active: false } })
    expect(await members(app)).toEqual([])
    const on = await scim('PATCH', path, patch({ op: 'Add', path: 'active', value: [{ value: 'True' }] }))
    expect(on).toMatchObject({ status: 200, body: { active: true } })
    expect(await members(app)).toHaveLength(1)
    expect(await scim('DELETE', path)).toMatchObject({ status: 204, body: undefined })
    expect((await scim('GET', path)).status).toBe(404)
    expect((await scim('DELETE', path)).status).toBe(404)
    expect(await members(app)).toEqual([])
  })

  test('Okta: looks by userName, makes, puts, and ends without a path', async () => {
    const app = await startTestApp()
    const { scim } = await directory(app)
    expect(
      (await scim('GET', '/Users?filter=userName%20eq%20%22test.user%40okta.local%22&startIndex=1&count=100')).body,
    ).toMatchObject({ totalResults: 0, startIndex: 1, itemsPerPage: 0, Resources: [] })
    const okta = {
      schemas: [USER],
      userName: 'test.user@okta.local',
      name: { givenName: 'Test', familyName: 'User' },
      emails: [{ primary: true, value: 'test.user@okta.local', type: 'work' }],
      displayName: 'Test User',
      locale: 'en-US',
      externalId: '00ujl29u0le5T6Aj10h7',
      groups: [],
      password: '1mz050nq',
      active: true,
    }
    const made = await scim('POST', '/Users', okta)
    expect(made.status).toBe(201)
    expect(JSON.stringify(made.body)).not.toContain('1mz050nq')
    const path = `/Users/${made.body.id}`
    const put = await scim('PUT', path, {
      ...okta,
      id: made.body.id,
      name: { givenName: 'Another' },
      displayName: 'Mel',
    })
    expect(put).toMatchObject({
      status: 200,
      body: { name: { givenName: 'Another' }, displayName: 'Mel', active: true },
    })
    expect(put.body.name.familyName).toBeUndefined()
    expect(await scim('PATCH', path, patch({ op: 'replace', value: { active: false } }))).toMatchObject({
      status: 200,
      body: { active: false },
    })
    // A PUT that says nothing of it does not let anybody in again.
    const { active: _, ...silent } = okta
    expect(await scim('PUT', path, silent)).toMatchObject({ status: 200, body: { active: false } })
    expect(await members(app)).toEqual([])
    expect(await scim('PUT', path, okta)).toMatchObject({ status: 200, body: { active: true } })
    expect(await members(app)).toMatchObject([{ role: 'member' }])
  })
})

describe('off-boarding', () => {
  test.each([
    [
      'active: false',
      (scim: any, id: string) => scim('PATCH', `/Users/${id}`, patch({ op: 'replace', value: { active: 'False' } })),
    ],
    ['DELETE', (scim: any, id: string) => scim('DELETE', `/Users/${id}`)],
  ])('%s ends session and personal keys at once', async (_name, end) => {
    const app = await startTestApp({}, { alone: true })
    const { scim } = await directory(app)
    const mo = await join(app, { email: 'mo@example.com', role: 'member' })
    const { key } = (await mo.call('POST', '/account/api-keys', { name: 'k' })).body.data
    expect((await app.call('GET', '/me', undefined, { key })).status).toBe(200)
    expect((await end(scim, mo.memberId)).status).toBeLessThan(300)
    expect((await mo.call('GET', '/me')).status).toBe(401)
    expect((await app.call('GET', '/me', undefined, { key })).status).toBe(401)
    expect(
      await send(app, 'POST', '/session/password', OWN_PAGE, { email: mo.email, password: PASSWORD }),
    ).toMatchObject({
      status: 403,
      body: { error_code: 'NO_WORKSPACE' },
    })
    expect(await members(app)).toEqual([])
  })

  test('nobody comes back by an invitation or a provider until the directory says so', async () => {
    const home = 'https://docent.example.com'
    const people = { mo: { email: 'mo@example.com', email_verified: true, name: 'Mo' } }
    const acme = await startOpenIdProvider({ id: 'acme', redirectUri: `${home}/sign-in/acme`, people })
    onTestFinished(acme.close)
    const app = await startTestApp({
      DOCENT_PUBLIC_URL: home,
      ...providerSettings([{ of: acme, fields: { domains: ['example.com'] } }]),
    })
    const { scim } = await directory(app)
    const byProvider = async () => {
      const mo = browser(app)
      const { url } = (await mo.call('POST', '/session/providers/acme', {})).body.data
      return mo.call('POST', '/session/providers/acme/finish', { query: await logIn(url, 'mo', acme.redirectUri) })
    }
    const { id } = (await scim('POST', '/Users', { userName: 'mo@example.com' })).body
    expect((await byProvider()).body.data.identity.member).toMatchObject({ email: 'mo@example.com' })
    await scim('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'active', value: false }))
    const ended = { status: 403, body: { error_code: 'ENDED_BY_DIRECTORY' } }
    expect(await byProvider()).toMatchObject(ended)
    const invited = await app.call('POST', `/invitations`, {})
    const accept = { token: tokenOf(invited.body.data.url), email: 'mo@example.com', name: 'Mo', password: PASSWORD }
    expect((await send(app, 'POST', '/invitations/accept', OWN_PAGE, accept)).status).toBe(401)
    expect(await members(app)).toEqual([])
    // One who was never here, and whom the directory does not let in, gets no account either.
    await scim('POST', '/Users', { userName: 'no@example.com', active: false })
    const no = { ...accept, email: 'no@example.com' }
    expect(await send(app, 'POST', '/invitations/accept', OWN_PAGE, no)).toMatchObject(ended)
    const accounts = await app.services.db.selectFrom('account').select('email').execute()
    expect(accounts).toEqual([{ email: 'mo@example.com' }])
    await scim('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'active', value: true }))
    expect((await byProvider()).status).toBe(200)
  })

  test('leaves the last owner, and owners to tokens of owners', async () => {
    const app = await startTestApp()
    const ada = await join(app, { email: 'ada@example.com' })
    const { scim } = await directory(app)
    const off = patch({ op: 'replace', path: 'active', value: false })
    expect(await scim('PATCH', `/Users/${ada.memberId}`, off)).toMatchObject({ status: 409, body: { status: '409' } })
    await join(app, { email: 'bo@example.com' })
    const admin = await join(app, { email: 'admin@example.com', role: 'admin' })
    const made = await admin.call('POST', `/workspaces/${app.owner.workspaceId}/scim-tokens`, { name: 'x' })
    const small = withToken(app, made.body.data.token)
    const moved = patch({ op: 'replace', path: 'emails[type eq "work"].value', value: 'admin2@example.com' })
    for (const change of [off, moved])
      expect(await small.scim('PATCH', `/Users/${ada.memberId}`, change)).toMatchObject({ status: 403 })
    expect(await small.scim('DELETE', `/Users/${ada.memberId}`)).toMatchObject({ status: 403 })
    expect(await scim('PATCH', `/Users/${ada.memberId}`, off)).toMatchObject({ status: 200 })
    expect((await ada.call('GET', '/me')).status).toBe(401)
  })
})

describe('organizations', () => {
  test('one does not reach another, nor the account of a person who is there', async () => {
    const app = await startTestApp({}, { alone: true })
    const { scim } = await directory(app)
    const mo = await join(app, { email: 'mo@example.com', role: 'member' })
    const { id } = (await scim('POST', '/Users', BARBARA)).body
    const other = await app.services.access.createOrganization('Other')
    const call: TestApp['call'] = (method, path, body) => app.call(method, path, body, { key: other.apiKey })
    const theirs = await directory({ ...app, owner: other } as TestApp, call)
    for (const one of [id, mo.memberId]) {
      expect((await theirs.scim('GET', `/Users/${one}`)).status).toBe(404)
      expect((await theirs.scim('DELETE', `/Users/${one}`)).status).toBe(404)
      expect((await theirs.scim('PUT', `/Users/${one}`, BARBARA)).status).toBe(404)
    }
    expect((await theirs.scim('GET', '/Users')).body.totalResults).toBe(0)
    expect((await theirs.scim('GET', '/Users?filter=userName%20eq%20%22mo%40example.com%22')).body.totalResults).toBe(0)
    // Somebody who is a member elsewhere is invited, and not put there.
    const invited = await theirs.scim('POST', '/Users', { userName: 'mo@example.com' })
    expect(invited).toMatchObject({ status: 201, body: { active: true } })
    expect((await mo.call('GET', '/account')).body.data.memberships).toHaveLength(1)
    const invitations = async () => (await call('GET', `/invitations`)).body.data.invitations
    expect(await invitations()).toMatchObject([{ email: 'mo@example.com', role: 'member' }])
    const path = `/Users/${invited.body.id}`
    const moved = patch({ op: 'replace', path: 'emails', value: [{ value: 'new@example.com', primary: true }] })
    expect(await theirs.scim('PATCH', path, moved)).toMatchObject({ status: 200 })
    expect((await mo.call('GET', '/account')).body.data.email).toBe('mo@example.com')
    expect((await theirs.scim('DELETE', path)).status).toBe(204)
    // Each organization forgets for itself.
    expect((await scim('GET', `/Users/${mo.memberId}`)).status).toBe(200)
  })
})
