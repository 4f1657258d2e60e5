import type { Docent } from '@docent/sdk'
import { answer, type Script, type Step } from '../../../../server/tests/support/models/model-server.ts'

const LOAN = `# Loan of twelve prints

We lend twelve prints of the harbour series from 1 March to 30 May.
`

const PAGE = `<h1>Visitors</h1><table border="1"><tr><td>May</td><td>412</td></tr></table>
<script>top.document.title = 'broken out'</script><img src="https://pictures.example/pixel.png">`

export const RICH = `The hall holds **120 lux** at most. A print takes $H = E \\cdot t$ lux hours:

\\[ H = \\int_0^{T} E(t)\\,dt \\le 50\\,000 \\]

\`\`\`python
def hours_left(budget, lux):
    """How long a print may still hang."""
    return budget / lux  # 50 lux is usual
\`\`\`

| Room | Lux | Budget left | Next rest | Checked by | Remark |
| --- | ---: | ---: | --- | --- | --- |
| Harbour hall | 48 | 12,400 | 2026-11-02 | Desk | Blinds down at noon |
| Print cabinet | 35 | 31,900 | 2027-02-14 | Desk | none |

- [x] Blinds ordered
- [ ] Meter calibrated

It costs $5 and $10 more. ![a map](https://pictures.example/map.png)`

/** Script of the model for each question, by a word of it: a list of steps for every turn. */
const TURNS: Record<string, Step[][]> = {
  letter: [
    [
      { reasoning: 'A letter goes out in the name of the house, so somebody has to allow it.' },
      'I prepared the letter. ',
      { toolCall: { name: 'create_file', arguments: { name: 'loan-letter.md', content: LOAN } } },
    ],
    ['It is ready, as `loan-letter.md`.'],
  ],
  frames: [
    [
      {
        toolCall: {
          name: 'ask_person',
          arguments: { question: 'Which frames shall I order?', options: ['Oak', 'Black'] },
        },
      },
    ],
    ['I note that.'],
  ],
  numbers: [
    [
      {
        toolCall: {
          name: 'create_file',
          arguments: { name: 'visitors.json', content: '{"may":{"visitors":412,"days":[1,2,3]},"open":true}' },
        },
      },
      { toolCall: { name: 'create_file', arguments: { name: 'visitors.html', content: PAGE } } },
    ],
    ['412 visitors came in May.'],
  ],
  light: [[{ reasoning: 'They want the rule, and the sum.\n'.repeat(30) }, ...RICH.split(/(?=\s)/)]],
}

/** Open question, and the number of tool results since. */
export function asked(messages: { role: string; content: unknown }[]): { question: string; done: number } {
  const at = messages.findLastIndex(({ role }) => role === 'user')
  const done = messages.slice(at).filter(({ role }, index, all) => role === 'tool' && all[index - 1]?.role !== 'tool')
  return { question: JSON.stringify(messages[at]?.content ?? ''), done: done.length }
}

export const chatScript: Script = ({ body }) => {
  const { question, done } = asked(body.messages)
  const [, turns] = Object.entries(TURNS).find(([word]) => question.includes(word)) ?? []
  return turns ? answer(...(turns[done] ?? turns.at(-1)!)) : answer(`You said: ${question.slice(0, 60)}`)
}

/** Agent that must ask before it makes files named letters, and two shortcuts. */
export async function addDesk(docent: Docent, toolsNeedingApproval: string[]) {
  const agent = await docent.agents.create({
    name: 'Print desk',
    description: 'Looks after loans and light.',
    knowledge_base_ids: [],
    tools: ['create_file', 'ask_person'],
    tools_needing_approval: toolsNeedingApproval,
  })
  await docent.agents.shortcuts.create(agent.id, {
    name: 'Light check',
    prompt: 'How much light does {{room}} get in {{hours}} hours?',
    fields: [
      { name: 'room', type: 'select', required: true, options: ['Harbour hall', 'Print cabinet'] },
      { name: 'hours', type: 'number', required: true, options: [] },
      { name: 'remark', type: 'text', required: false, options: [] },
    ],
  })
  await docent.agents.shortcuts.create(agent.id, { name: 'Morning round', prompt: 'What is due today?', fields: [] })
  return agent
}
