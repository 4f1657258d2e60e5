import { expect, test } from 'vitest'
import { startNewestMcpServer } from '../../../server/tests/support/mcp/mcp-servers.ts'
import { answer } from '../../../server/tests/support/models/model-server.ts'
import { newWorkspace } from '../support/admin.ts'
import { startScripted } from '../support/demo/scripted.ts'
import { signedIn } from '../support/signed-in.ts'

const app = startScripted({ DOCENT_OUTBOUND_ALLOW: '127.0.0.1/32' })

test('every part of an agent is set up, saved and tried', async () => {
  const mcp = await startNewestMcpServer()
  await app.docent.knowledgeBases.create({ knowledge_base_name: 'Handbooks' })
  const helper = await app.docent.agents.create({ name: 'Translator', description: 'Knows six languages' })
  const { page, expectNoTrouble, expectAccessible } = await signedIn(app.browser, app.server, { path: '/agents/new' })
  const part = (name: string) => page.getByRole('navigation', { name: 'Parts' }).getByRole('link', { name }).click()
  const save = async () => {
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
  }

  await page.getByLabel('Name').fill('Guide')
  await page.getByRole('checkbox', { name: 'Handbooks' }).check()
  await expectAccessible()
  await page.getByRole('button', { name: 'Create agent' }).click()
  await page.getByRole('heading', { name: 'Guide', level: 1 }).waitFor()
  const id = new URL(page.url()).pathname.split('/').at(-1)!
  expect(await app.docent.agents.get(id)).toMatchObject({
    name: 'Guide',
    tools: ['search_knowledge', 'read_file', 'list_files'],
  })

  await page.getByLabel('Instructions').fill('Be brief.')
  await page.getByRole('button', { name: 'Check that it answers' }).click()
  await page.getByText('openai-compatible/scripted began after').waitFor()
  await page.getByLabel('Model').fill('openai/gpt-5-mini')
  await page.getByText('its operator has to set OPENAI_API_KEY').waitFor()
  await page.getByLabel('Model').fill('builtin/nothing')
  await page.getByRole('button', { name: 'Check that it answers' }).click()
  await page.getByText('Does not answer').waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('region', { name: 'Unsaved changes' }).getByText('builtin has extractive').waitFor()
  await page.getByLabel('Model').fill('')
  await expectAccessible()
  await page.keyboard.press('Control+s')
  await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
  expect(await app.docent.agents.get(id)).toMatchObject({ instructions: 'Be brief.', model: null })
  await page.getByLabel('Instructions').fill('Be long.')
  await page.getByRole('button', { name: 'Discard' }).press('Enter')
  await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Basics')

  await part('Tools')
  await page.getByRole('checkbox', { name: 'Make files' }).check()
  await page.getByRole('checkbox', { name: 'Ask first Make files' }).check()
  await page.getByRole('button', { name: 'Add a server' }).click()
  const form = page.getByRole('dialog', { name: 'Add an MCP server' })
  await form.getByLabel('Name', { exact: true }).fill('desk')
  await form.getByLabel('Address').fill(mcp.url)
  await form.getByRole('button', { name: 'Add a header' }).click()
  await form.getByLabel('Name of the header').fill('Authorization')
  await form.getByLabel('Value of Authorization').fill('Bearer secret')
  await expectAccessible()
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('button', { name: /^desk/ }).click()
  await page.getByText('Reachable').waitFor()
  const tools = page.getByRole('list', { name: 'Tools of desk' })
  const names = await tools.getByRole('listitem').locator('label:first-of-type').allTextContents()
  await tools.getByRole('checkbox').first().uncheck()
  await tools.getByRole('checkbox', { name: 'Ask first' }).last().check()
  await page.getByRole('checkbox', { name: 'Translator' }).check()
  await expectAccessible()
  await save()
  const saved = await app.docent.agents.get(id)
  expect(saved.tools).toContain('create_file')
  expect(saved.tools_needing_approval).toEqual(['create_file', expect.stringMatching(/^desk__/)])
  expect(saved.sub_agent_ids).toEqual([helper.id])
  expect(saved.mcp_servers).toEqual([
    {
      name: 'desk',
      transport: 'http',
      url: mcp.url,
      headers: { authorization: '***' },
      command: null,
      tools: expect.any(Array),
    },
  ])
  expect(saved.mcp_servers[0]!.tools).toHaveLength(names.length / 2 - 1)
  expect(mcp.requests.some(({ headers }) => headers.authorization === 'Bearer secret')).toBe(true)

  // A secret is sent only to the server it was given for.
  await page.getByRole('button', { name: 'Change desk' }).click()
  const change = page.getByRole('dialog', { name: 'Change desk' })
  expect(await change.getByLabel('Value of authorization').inputValue()).toBe('')
  await change.getByLabel('Name', { exact: true }).fill('counter')
  await change.getByText('have to be entered again').waitFor()
  await change.getByLabel('Value of authorization').fill('Bearer other')
  await change.getByRole('button', { name: 'Apply' }).click()
  await save()
  expect(await app.docent.agents.get(id)).toMatchObject({
    mcp_servers: [{ name: 'counter', headers: { authorization: '***' } }],
    tools_needing_approval: ['create_file', expect.stringMatching(/^counter__/)],
  })

  await page.getByRole('button', { name: 'Add an API' }).click()
  const api = page.getByRole('dialog', { name: 'Add an API' })
  await api.getByLabel('Name', { exact: true }).fill('docent')
  await api.getByLabel('Address of the document').fill(`${app.server.url}/openapi.json`)
  await api.getByLabel('Where requests go').fill(app.server.url)
  await api.getByLabel('Signs in with').selectOption('bearer')
  await api.getByLabel('Token').fill('secret')
  await expectAccessible()
  await api.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('Readable').waitFor()
  await page.getByLabel('Search the operations of docent').fill('knowledgeBases.create')
  const operations = page.getByRole('list', { name: 'Operations of docent' })
  await operations.getByRole('checkbox', { name: 'Create a folder', exact: true }).check()
  // An operation that changes something asks first, unless the person says otherwise.
  expect(await operations.getByRole('checkbox', { name: 'Ask first Create a folder' }).isChecked()).toBe(true)
  await expectAccessible()
  await save()
  expect(await app.docent.agents.get(id)).toMatchObject({
    openapi_tools: [{ name: 'docent', operations: ['knowledgeBases.create'], auth: { type: 'bearer', secret: '***' } }],
    tools_needing_approval: expect.arrayContaining(['docent__knowledgeBases_create']),
  })

  await part('Limits')
  await page.getByLabel('Turns').fill('7')
  await expectAccessible()
  await part('Sharing')
  await page.getByRole('radio', { name: 'The organization' }).check()
  await save()
  expect(await app.docent.agents.get(id)).toMatchObject({
    limits: { max_steps: 7, max_tokens: null },
    visibility: 'organization',
  })
  await page.getByRole('button', { name: 'New link' }).click()
  const link = page.getByRole('dialog', { name: 'New link' })
  await link.getByLabel('Name', { exact: true }).fill('Website')
  await link.getByLabel('Websites that may embed it').fill('https://www.example.com')
  await page.keyboard.press('Enter')
  await link.getByRole('button', { name: 'Create link' }).click()
  await page.getByText('Works', { exact: true }).waitFor()
  await page.getByRole('radio', { name: 'This workspace' }).check()
  await save()
  await page.getByText('it needs “The organization” or more').waitFor()
  expect(await page.getByRole('button', { name: 'New link' }).isDisabled()).toBe(true)
  await page.getByRole('radio', { name: 'Everybody with a link' }).check()
  await save()
  await page.getByText('Works', { exact: true }).waitFor()
  await page.getByText('widget.js?link=').waitFor()
  await expectAccessible()
  expectNoTrouble()
})

test('a shortcut gets its form from its places, and a job narrows the tools', async () => {
  const { id } = await app.docent.agents.create({ name: 'Clerk', tools: ['create_file', 'remember'] })
  const { page, expectNoTrouble, expectAccessible } = await signedIn(app.browser, app.server, {
    path: `/agents/${id}?part=actions`,
  })
  await page.getByRole('button', { name: 'New job' }).click()
  const job = page.getByRole('dialog', { name: 'New job' })
  await job.getByLabel('Name').fill('Offers')
  await job.getByLabel('Instructions').fill('Write offers.')
  await job.getByLabel('All of the agent’s tools').uncheck()
  await job.getByLabel('Remember people').uncheck()
  await expectAccessible()
  await job.getByRole('button', { name: 'Create job' }).click()
  await page.getByRole('list', { name: 'Jobs' }).getByRole('heading', { name: 'Offers' }).waitFor()

  await page.getByRole('button', { name: 'New shortcut' }).click()
  const form = page.getByRole('dialog', { name: 'New shortcut' })
  await form.getByLabel('Name', { exact: true }).fill('Offer')
  await form.getByLabel('Prompt').fill('Write {{customer}} an offer of {{product}}.')
  await form.getByLabel('Kind of product').selectOption('Choice')
  await form.getByText('it needs at least one option').waitFor()
  await form.getByLabel('Options').fill('Lamp,Chair,')
  await form.getByLabel('Must be filled in').first().check()
  const preview = form.getByRole('region', { name: 'Preview' })
  await preview.getByLabel('Customer *').fill('Ms Winter')
  await preview.getByLabel('Product').selectOption('Chair')
  await preview.getByText('Write Ms Winter an offer of Chair.').waitFor()
  await form.getByLabel('Job').selectOption('Offers')
  await expectAccessible()
  await form.getByRole('button', { name: 'Create shortcut' }).click()
  await page.getByRole('list', { name: 'Shortcuts' }).getByText('Offer', { exact: true }).waitFor()
  await expectAccessible()

  const [made] = (await app.docent.agents.jobs.list(id)).jobs
  expect(made).toMatchObject({ name: 'Offers', instructions: 'Write offers.', tools: ['create_file'] })
  expect((await app.docent.agents.shortcuts.list(id)).shortcuts).toMatchObject([
    {
      name: 'Offer',
      job_id: made!.id,
      fields: [
        { name: 'customer', type: 'text', required: true },
        { name: 'product', type: 'select', options: ['Lamp', 'Chair'] },
      ],
    },
  ])
  await page.getByRole('button', { name: 'Delete Offer', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No shortcut yet').waitFor()
  expectNoTrouble()
})

test('the playground tries what is saved, apart from other chats', async () => {
  app.script = () => answer('Good day!')
  const { id } = await app.docent.agents.create({ name: 'Greeter', instructions: 'Greet.' })
  const { page, expectNoTrouble, expectAccessible } = await signedIn(app.browser, app.server, { path: `/agents/${id}` })
  const side = page.getByRole('complementary', { name: 'Try it' })
  await side.getByLabel('Your question to Greeter').fill('Hello')
  await page.keyboard.press('Enter')
  await side.getByText('Good day!').first().waitFor()
  await side.getByText(/openai-compatible\/scripted · .*tokens read/).waitFor()
  const { chats } = await app.docent.chats.list(id)
  expect(chats).toMatchObject([{ chat_type: 'playground', title: 'Hello' }])

  await page.getByLabel('Instructions').fill('Greet twice.')
  await side.getByText('save to try your changes').waitFor()
  await expectAccessible()
  // Neither a link nor closing the tab loses unsaved changes.
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Drive' }).click()
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('navigation', { name: 'Parts' }).getByRole('link', { name: 'Limits' }).click()
  await page.getByRole('navigation', { name: 'Parts' }).getByRole('link', { name: 'Basics' }).click()
  expect(await page.getByLabel('Instructions').inputValue()).toBe('Greet twice.')
  await side.getByRole('button', { name: 'New chat' }).click()
  await side.getByRole('heading', { name: 'Try it' }).waitFor()
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Drive' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await page.getByRole('heading', { name: 'Drive' }).waitFor()
  expect(await app.docent.agents.get(id)).toMatchObject({ instructions: 'Greet.' })
  expectNoTrouble()
})

test('on a phone the playground is a tab, and whoever may not change agents sees them', async () => {
  const { id } = await app.docent.agents.create({ name: 'Porter' })
  const phone = { viewport: { width: 375, height: 720 }, colorScheme: 'dark' as const }
  const { page, expectAccessible } = await signedIn(app.browser, app.server, { path: `/agents/${id}`, ...phone })
  const width = () => page.evaluate(() => document.documentElement.scrollWidth)
  for (const part of ['Knowledge', 'Tools', 'Actions', 'Limits', 'Sharing']) {
    await page.getByRole('navigation', { name: 'Parts' }).getByRole('link', { name: part }).click()
    await page.getByRole('link', { name: part }).and(page.locator('[aria-current=page]')).waitFor()
    await expectAccessible()
    expect(await width()).toBe(375)
  }
  // The open tab is visible in a strip that is wider than the screen.
  await page.reload()
  const sharing = page.getByRole('link', { name: 'Sharing' })
  await sharing.waitFor()
  const rightEdge = async () => {
    const { x, width } = (await sharing.boundingBox())!
    return x + width
  }
  await expect.poll(rightEdge).toBeLessThan(376)
  await page.getByRole('link', { name: 'Try it' }).click()
  await page.getByLabel('Your question to Porter').waitFor()
  await expectAccessible()
  expect(await width()).toBe(375)

  const { workspace } = await app.docent.me()
  const { key } = await app.docent.apiKeys.create(workspace.id, { name: 'Member' })
  const member = await signedIn(app.browser, app.server, { path: `/agents/${id}`, key })
  await member.page.getByText('Your key may look at agents, not change them').waitFor()
  expect(await member.page.getByLabel('Name').isDisabled()).toBe(true)
  expect(await member.page.getByRole('button', { name: 'Delete this agent' }).count()).toBe(0)
})

test('an agent of another workspace is used, and not changed', async () => {
  const { organization } = await app.docent.me()
  const key = await newWorkspace(organization.id, 'Second', app.server)
  await app.docent.agents.create({ name: 'Lent', visibility: 'organization', instructions: 'Be kind.' })
  const { page, expectNoTrouble, expectAccessible } = await signedIn(app.browser, app.server, {
    path: `/agents`,
    key,
  })
  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Lent' }) })
  await card.getByText('From another workspace').waitFor()
  await card.getByRole('link', { name: 'Lent', exact: true }).click()
  await page.getByText('belongs to another workspace').first().waitFor()
  expect(await page.getByLabel('Instructions').isDisabled()).toBe(true)
  expect(await page.getByRole('button', { name: 'Delete this agent' }).count()).toBe(0)
  for (const part of ['Knowledge', 'Tools', 'Actions', 'Limits', 'Sharing']) {
    await page.getByRole('navigation', { name: 'Parts' }).getByRole('link', { name: part }).click()
    await page.getByRole('link', { name: part }).and(page.locator('[aria-current=page]')).waitFor()
    await expectAccessible()
    expect(await page.getByRole('group').getByRole('button').and(page.locator(':enabled')).count()).toBe(0)
  }
  await page.getByText('in its own workspace').waitFor()
  await page.getByRole('link', { name: 'Set up by talking' }).click()
  await page.getByRole('complementary').getByText('belongs to another workspace').waitFor()
  // A chat with it belongs to the own workspace.
  await page.getByRole('link', { name: 'Chat', exact: true }).last().click()
  app.script = () => answer('Good day!')
  await page.getByLabel('Your question to Lent').fill('Hello')
  await page.keyboard.press('Enter')
  await page.getByText('Good day!', { exact: true }).first().waitFor()
  expectNoTrouble()
})

test('the model is chosen from a list that typing searches', async () => {
  const { id } = await app.docent.agents.create({ name: 'Chooser' })
  const { page, expectAccessible } = await signedIn(app.browser, app.server, { path: `/agents/${id}` })
  const field = page.getByRole('combobox', { name: 'Model' })
  const options = page.getByRole('listbox', { name: 'Choices' }).getByRole('option')
  await field.click()
  await options.filter({ hasText: 'builtin/extractive' }).waitFor()
  expect(await options.first().getAttribute('aria-selected')).toBe('true')
  await expectAccessible()
  await options
    .filter({ hasText: 'openai-compatible/second' })
    .filter({ hasText: 'tools', hasNotText: 'pictures' })
    .waitFor()
  await field.fill('built ext')
  expect(await options.count()).toBe(1)
  await field.press('ArrowDown')
  expect(await field.getAttribute('aria-activedescendant')).toBe(await options.first().getAttribute('id'))
  await field.press('Enter')
  expect(await field.inputValue()).toBe('builtin/extractive')
  expect(await field.getAttribute('aria-expanded')).toBe('false')
  await field.press('ArrowDown')
  await field.press('Escape')
  expect([await options.count(), await field.inputValue()]).toEqual([0, 'builtin/extractive'])
  await field.click()
  await options.filter({ hasText: 'The server’s default' }).click()
  expect(await field.inputValue()).toBe('')
  await field.fill('builtin/other')
  expect(await options.count()).toBe(0)
})
