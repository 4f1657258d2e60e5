import { Docent } from '@docent/sdk'
import type { Page } from 'playwright-core'
import { answer, type Script } from '../../../../server/tests/support/models/model-server.ts'
import type { RunningDocent } from '../docent.ts'

const PROPOSAL = {
  summary: 'A friendly end, letters as files, and a shortcut for schools.',
  changes: {
    instructions:
      'Answer in at most three short paragraphs. Name the room when it helps.\nEnd with a wish for a good visit.',
    tools: ['search_knowledge', 'read_file', 'list_files', 'create_file'],
  },
  shortcuts: [{ name: 'Reply to a school', prompt: 'Write to {{school}}.', fields: [{ name: 'school' }] }],
}

/** Proposes changes in configuration chats; everything else is left to the other script. */
export const withProposal =
  (script: Script): Script =>
  (request, index) => {
    if (request.body.tools?.[0]?.function?.name !== 'propose_changes') return script(request, index)
    const hasProposed = request.body.messages.at(-1).role === 'tool'
    return hasProposed
      ? answer('I kept your two rules and added a third. Shall it write to schools in French, too?')
      : answer({ toolCall: { name: 'propose_changes', arguments: PROPOSAL } })
  }

/** Agent with content in each part of the builder. */
export async function addShownAgent({ url, apiKey }: RunningDocent): Promise<{ agentId: string; token: string }> {
  const docent = new Docent({ baseUrl: url, apiKey })
  const museum = (await docent.knowledgeBases.list()).org_knowledge_bases.find(({ name }) => name === 'Museum')!
  const others = (await docent.agents.list()).agents
  const { id } = await docent.agents.create({
    name: 'Front desk',
    description: 'Answers what visitors ask, from the house’s own papers.',
    instructions: 'Answer in at most three short paragraphs. Name the room when it helps.',
    knowledge_base_ids: [museum._id],
    sub_agent_ids: others.filter(({ name }) => name === 'Conservation').map((agent) => agent.id),
    visibility: 'public',
  })
  const job = await docent.agents.jobs.create(id, { name: 'Answer a letter', instructions: 'Write a polite letter.' })
  await docent.agents.shortcuts.create(id, {
    name: 'Reply to a school',
    prompt: 'Write to {{school}} about a visit on {{day}}.',
    fields: [
      { name: 'school', required: true },
      { name: 'day', type: 'select', options: ['Tuesday', 'Friday'] },
    ],
    job_id: job.id,
  })
  const { token } = await docent.agents.links.create(id, {
    name: 'Website',
    greeting: 'Welcome to the museum! What may I tell you?',
    allowed_origins: ['https://www.example.com'],
  })
  return { agentId: id, token }
}

/**
 * Visits every part of the builder, the chats beside it, and the page of a shared agent.
 * @param shoot saves the page under a name
 */
export async function shootAgents(
  page: Page,
  url: string,
  { agentId, token }: { agentId: string; token: string },
  shoot: (name: string) => Promise<void>,
): Promise<void> {
  await page.goto(`${url}/agents`)
  await page.getByRole('heading', { name: 'Front desk' }).waitFor()
  await shoot('agents')
  await page.goto(`${url}/agents/new`)
  await page.getByLabel('Name').waitFor()
  await page.waitForLoadState('networkidle')
  await shoot('agent-new')
  for (const part of ['basics', 'knowledge', 'tools', 'actions', 'limits', 'sharing']) {
    await page.goto(`${url}/agents/${agentId}?part=${part}`)
    await page.getByRole('navigation', { name: 'Parts' }).waitFor()
    await page.waitForLoadState('networkidle')
    await shoot(`agent-${part}`)
  }
  await page.goto(`${url}/agents/${agentId}?part=actions`)
  await page.getByRole('button', { name: 'Change Reply to a school' }).click()
  await page.getByRole('dialog').waitFor()
  await shoot('agent-shortcut')
  await page.goto(`${url}/agents/${agentId}?side=try&shows=side`)
  await page.getByLabel(/Your question/).fill('When can I bring a school class, and what does it cost?')
  await page.keyboard.press('Enter')
  await page.getByText(/tokens read/).waitFor()
  await page.getByRole('table').waitFor()
  await shoot('agent-playground')
  await page.goto(`${url}/agents/${agentId}?side=configure&shows=side`)
  await page.getByLabel(/Your question/).fill('Make it friendlier, and let it write letters')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Apply' }).waitFor()
  await page.getByText('I kept your two rules').first().waitFor()
  await shoot('agent-configuration')
  await page.goto(`${url}/shared/${token}`)
  await page.getByLabel(/Your question/).waitFor()
  await shoot('shared-start')
  await page.getByLabel(/Your question/).fill('When can I bring a school class, and what does it cost?')
  await page.keyboard.press('Enter')
  await page.getByRole('list', { name: 'Sources' }).waitFor()
  await page.getByRole('table').waitFor()
  await shoot('shared-chat')
}
