import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished, test } from 'vitest'
import { startScripted } from '../support/demo/scripted.ts'
import { signedIn } from '../support/signed-in.ts'

const app = startScripted({ DOCENT_OUTBOUND_ALLOW: '127.0.0.1/32' })

test('until the files of a source are read, a sync says how many were found so far', async () => {
  const { promise: isAsked, resolve: ask } = Promise.withResolvers<void>()
  const { promise: isSeen, resolve: seen } = Promise.withResolvers<void>()
  const site = createServer(async (request, response) => {
    response.setHeader('content-type', 'text/html')
    if (request.url === '/maps') {
      ask()
      await isSeen
    }
    response.end('<title>Prints</title><p>Prints</p><a href="/maps">Maps</a>')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void site.close())
  await once(site, 'listening')
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`
  await app.docent.integrations.create({ kind: 'web', knowledge_base_name: 'Site', config: { url } })
  await isAsked
  const { page, expectAccessible } = await signedIn(app.browser, app.server, { path: '/settings/integrations' })
  const row = page.getByRole('listitem').filter({ hasText: 'Site' })
  await row.getByText('Looking for files: 1 so far').waitFor()
  await expectAccessible()
  seen()
})
