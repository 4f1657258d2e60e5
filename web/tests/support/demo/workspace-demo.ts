import { mkdir, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import type { Docent } from '@docent/sdk'
import { answer, type Script } from '../../../../server/tests/support/models/model-server.ts'
import { demoScript } from './demo.ts'

/** End users of the museum. */
const PEOPLE = [
  { email: 'ines.okafor@example.com', name: 'Ines Okafor', origin: 'Ticket shop', metadata: { language: 'fr' } },
  { email: 'tomasz.b@example.com', name: 'Tomasz B.', origin: 'Ticket shop', metadata: { language: 'pl' } },
  {
    email: 'school.office@example.org',
    name: 'School office',
    origin: 'Website',
    metadata: { school: 'harbour primary' },
  },
  { email: 'guard.room@example.com', name: null, origin: 'Intranet', metadata: {} },
]

const QUESTIONS = [
  'When can I bring a school class, and what does it cost?',
  'Is the house open on Thursday evening?',
  'May I draw in the rooms?',
  'Where do I leave a large bag?',
  'How long may a print hang on the wall?',
]

const LETTER = `# Loan of twelve prints

We lend twelve prints of the harbour series from 1 March to 30 May. They travel framed, and hang at fifty lux at most.
`

/** Demo script with reviews: a letter to approve, and a question back. */
export const workspaceScript: Script = (request, index) => {
  const { messages } = request.body
  const asked = messages.findLast(({ role }: { role: string }) => role === 'user').content
  const isDecided = messages.at(-1).role === 'tool'
  if (String(asked).includes('loan letter'))
    return isDecided
      ? answer('The letter is ready.')
      : answer({
          toolCall: {
            name: 'create_file',
            arguments: { name: 'loan-letter.md', content: LETTER },
          },
        })
  if (String(asked).includes('frame'))
    return isDecided
      ? answer('Thank you: I ordered them.')
      : answer({
          toolCall: {
            name: 'ask_person',
            arguments: { question: 'Which frames shall I order for the harbour series?', options: ['Oak', 'Black'] },
          },
        })
  return demoScript(request, index)
}

/** Asks for something that a person must decide first. */
export async function askForReviews(docent: Docent): Promise<string> {
  const registrar = await docent.agents.create({
    name: 'Registrar',
    description: 'Prepares loans; nothing leaves the house before somebody has seen it.',
    tools: ['create_file', 'ask_person'],
    tools_needing_approval: ['create_file'],
  })
  for (const query of ['Draft the loan letter for the harbour series', 'Order a frame for each print']) {
    const chat = await docent.chats.create(registrar.id, { title: query })
    // It waits, so its events arrive at once.
    await docent.chats.query(registrar.id, chat.id, { query })
  }
  return registrar.id
}

/** Receiver of webhooks; `/down` fails. */
export async function startReceiver(): Promise<{ url: string; server: Server }> {
  const server = createServer((request, response) => {
    request.resume()
    const isDown = request.url === '/down'
    response.writeHead(isDown ? 503 : 200, { 'content-type': 'application/json' })
    response.end(isDown ? '{"error":"The ticket shop is being updated"}' : '{"received":true}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, server }
}

/** Creates keys, people, chats, deliveries and a linked folder: content for the workspace pages. */
export async function fillWorkspace(
  docent: Docent,
  { agentId, receiverUrl, sourceDir }: { agentId: string; receiverUrl: string; sourceDir: string },
): Promise<void> {
  const { workspace } = await docent.me()
  await docent.apiKeys.create(workspace.id, {
    name: 'Website chat',
    scopes: { agent_ids: [agentId], operations: ['chats.*', 'messages.*', 'me.get'] },
  })
  await docent.apiKeys.create(workspace.id, {
    name: 'Ticket shop',
    permissions: ['create_knowledgebase'],
    expires_at: new Date(Date.now() + 90 * 86_400_000).toISOString(),
  })
  await docent.apiKeys.create(workspace.id, { name: 'Back office', role: 'admin' })
  for (const person of PEOPLE) await docent.virtualUsers.create(workspace.id, person)

  await mkdir(join(sourceDir, 'Catalogue'), { recursive: true })
  await writeFile(join(sourceDir, 'Catalogue/prints.md'), '# Prints\n\nThe print room holds 4,200 sheets.\n')
  await docent.integrations.create({
    kind: 'directory',
    knowledge_base_name: 'Catalogue',
    config: { path: join(sourceDir, 'Catalogue') },
  })

  const { id: seriesId } = await docent.knowledgeBases.create({ knowledge_base_name: 'Harbour series' })
  const loan = await docent.files.upload(new File([LETTER], 'loan-letter.md'))
  await docent.dataSources.add(seriesId, { file_id: loan, data_source_title: 'loan-letter.md' })
  await docent.projects.create({
    name: 'Harbour series',
    instructions: 'Give dates in full, and the room.',
    knowledge_base_id: seriesId,
  })
  await docent.webhooks.endpoints.create(workspace.id, {
    url: `${receiverUrl}/events`,
    description: 'Catalogue of the ticket shop',
    event_types: ['data_source.indexed', 'data_source.failed'],
  })

  for (const [index, query] of QUESTIONS.entries()) {
    const person = PEOPLE[index % PEOPLE.length]!
    const chat = await docent.chats.create(agentId, {
      title: query,
      chat_type: index % 2 === 0 ? 'interact' : 'standard',
      metadata: { channel: index % 2 === 0 ? 'website' : 'shop', language: index % 3 === 0 ? 'en' : 'fr' },
    })
    const { message_id } = await docent.chats.query(agentId, chat.id, { query, virtual_user_email: person.email })
    if (index < 3)
      await docent.chats.messages.giveFeedback(agentId, chat.id, message_id, {
        rating: index === 1 ? 'down' : 'up',
        comment: index === 1 ? 'Thursday is missing.' : null,
      })
  }
  await docent.quotas.set(workspace.id, { subject: { type: 'any_virtual_user' }, period: 'day', max_messages: 40 })
  await docent.quotas.set(workspace.id, { subject: { type: 'workspace' }, period: 'month', max_tokens: 20_000 })
  await docent.quotas.set(workspace.id, {
    subject: { type: 'virtual_user', email: PEOPLE[0]!.email },
    period: 'day',
    max_messages: 2,
    max_cost_usd: 0.5,
  })

  for (const path of ['/answers', '/answers', '/down']) {
    const chat = await docent.chats.create(agentId, { title: 'Asked by the ticket shop', chat_type: 'interact' })
    await docent.chats.queryAsync(agentId, chat.id, { query: QUESTIONS[0]!, webhook_url: receiverUrl + path })
  }
}
