import type { Docent } from '@docent/sdk'

/** Path of every page of the UI, by name, on a server with content for each. */
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
    folder: `/drive/${folder}`,
    file: `/drive/${folder}/${file!.id}`,
    agents: '/agents',
    'new agent': '/agents/new',
    agent: `/agents/${agent}`,
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
  }
}
