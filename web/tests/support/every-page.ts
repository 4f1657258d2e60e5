import { readFile } from 'node:fs/promises'
import type { Docent } from '@docent/sdk'
import { expect } from 'vitest'

/** Path of every page of the UI for those who are signed in with a key, by name, on a server with content for each. */
export async function everyPage(docent: Docent): Promise<Record<string, string>> {
  const { workspace } = await docent.me()
  const { id: folder } = await docent.knowledgeBases.create({ knowledge_base_name: 'Handbooks' })
  const upload = await docent.files.upload(new File(['# Lamp\n\nIt turns every twelve seconds.'], 'lamp.md'))
  await docent.dataSources.add(folder, { file_id: upload, data_source_title: 'lamp.md' })
  await docent.knowledgeBases.waitUntilIndexed(folder)
  const [file] = (await docent.dataSources.list(folder)).data_sources
  const { id: agent } = await docent.agents.create({
    name: 'Keeper',
    knowledge_base_ids: [folder],
    visibility: 'public',
  })
  const { token } = await docent.agents.links.create(agent, { name: 'Website' })
  const chat = await docent.chats.create(agent, { title: 'The lamp', chat_type: 'interact' })
  await docent.chats.query(agent, chat.id, { query: 'How often does the lamp turn?' })
  const project = await docent.projects.create({ name: 'Lighthouse', knowledge_base_id: folder })
  const person = await docent.virtualUsers.create(workspace.id, { email: 'ada@example.com' })
  return {
    'new chat': `/chat/${agent}`,
    chat: `/chat/${agent}/${chat.id}`,
    'all chats': '/chats',
    'pinned answers': '/chats?show=pins',
    'chats that are shared': '/chats?show=shared',
    projects: '/projects',
    project: `/projects/${project.id}`,
    drive: '/drive',
    'drive, searched': '/drive?q=lamp',
    folder: `/drive/${folder}`,
    file: `/drive/${folder}/${file!.id}`,
    agents: '/agents',
    'new agent': '/agents/new',
    agent: `/agents/${agent}`,
    ...Object.fromEntries(
      ['knowledge', 'tools', 'actions', 'limits', 'sharing'].map((part) => [
        `agent: ${part}`,
        `/agents/${agent}?part=${part}`,
      ]),
    ),
    'agent: try it': `/agents/${agent}?shows=side`,
    'agent: set up by talking': `/agents/${agent}?shows=side&side=configure`,
    evaluation: `/agents/${agent}/evaluation`,
    threads: `/agents/${agent}/threads`,
    thread: `/agents/${agent}/threads/${chat.id}`,
    inbox: '/inbox',
    people: '/people',
    person: `/people/${person.id}`,
    'API keys': '/settings/keys',
    models: '/settings/models',
    members: '/settings/members',
    'sign-in providers': '/settings/providers',
    webhooks: '/settings/webhooks',
    integrations: '/settings/integrations',
    usage: '/settings/usage',
    quotas: '/settings/quotas',
    'audit log': '/settings/audit-log',
    'streaming test': '/settings/streaming',
    'shared agent': `/shared/${token}`,
    'address that is not there': '/settings/nothing',
  }
}

/** Paths of the pages that need no session. */
export async function pagesWithoutSession(docent: Docent): Promise<Record<string, string>> {
  const { url } = await docent.invitations.create({ email: 'grace@example.com' })
  const { pathname, hash } = new URL(url)
  return {
    'sign-in': '/',
    invitation: pathname + hash,
    'invitation that is used up': '/join#used-up',
    'new password': '/password#used-up',
    'sign-in with a provider': '/sign-in/nobody',
  }
}

/** Paths of the pages of somebody with an account. */
export const PAGES_OF_AN_ACCOUNT = {
  account: '/settings/account',
  'code of a device': '/oauth/device',
  'request of an app': '/oauth/authorize',
  'chat that is no longer shared': '/shared-chats/6740a1b2c3d4e5f6a7b8c9d0',
}

/** Addresses that only lead on to one of the pages above. */
const LEADING_ON = ['/chat', '/settings', '/drive/file/$fileId']

/** Paths of the routes that the router has, in its own words: `/agents/$agentId`. */
export async function routesOfRouter(): Promise<string[]> {
  const source = await readFile(new URL('../../src/router.tsx', import.meta.url), 'utf8')
  const routes = new Map([['root', '']])
  for (const [, name, parent, path] of source.matchAll(
    /const (\w+) = createRoute\(\{\s+getParentRoute: \(\) => (\w+),\s+path: '([^']*)'/g,
  ))
    routes.set(name!, `${routes.get(parent!)!}/${path}`.replaceAll(/\/+/g, '/').replace(/(.)\/$/, '$1'))
  expect(routes.size - 1, 'routes that were read').toBe(source.match(/= createRoute\(/g)?.length)
  routes.delete('root')
  return [...new Set(routes.values())].filter((path) => !LEADING_ON.includes(path))
}

/** Route that shows a path: of those that fit, the one with the fewest parts to fill in. */
export const routeOf = (path: string, routes: string[]): string | undefined =>
  routes
    .filter((route) => new RegExp(`^${route.replaceAll(/\$\w+/g, '[^/]+')}$`).test(path.split(/[?#]/)[0]!))
    .toSorted((a, b) => a.split('$').length - b.split('$').length)[0]
