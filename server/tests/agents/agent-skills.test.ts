import { expect, test } from 'vitest'
import { driveOf } from '../support/drive/drive.ts'
import { everyRow } from '../support/every-row.ts'
import { shareTestApps, startTestApp } from '../support/test-app.ts'

shareTestApps()

async function start() {
  const app = await startTestApp()
  const drive = driveOf(app)
  const exported = async (id: string, query = '') => (await drive.succeed('GET', `/agents/${id}/export${query}`)).data
  const imported = async (body: object) => (await drive.succeed('POST', '/agents/import', body)).data
  return { ...app, ...drive, exported, imported }
}

const SKILL = `---
name: firing-plan
description: Checks a firing plan. Use it when somebody sends one.
license: Apache-2.0
allowed-tools: read_file Bash(git:*)
metadata:
  author: The yard
---

# Firing plans

Compare the plan with [the table](references/table.md).
`
const TABLE = '# Table\n\n| glaze | degrees |\n| --- | --- |\n| celadon | 1260 |\n'

test('a skill is imported as a job, and exported as it was', async () => {
  const { imported, exported, succeed } = await start()
  const skill = { 'SKILL.md': SKILL, 'references/table.md': TABLE, 'scripts/check.py': 'print("plan")\n' }
  const shortcuts = [{ name: 'Check', prompt: 'Check it', job: 'Firing plan' }]
  const file = { name: 'Potter', jobs: [{ name: 'Firing plan', skill }], shortcuts }
  const { agent, outcome, unmapped } = await imported({ agent: file })
  expect(outcome).toBe('created')
  expect(unmapped).toEqual([
    { path: 'jobs.Firing plan.tools', value: 'Bash(git:*)', reason: 'is no tool of this server' },
  ])
  const { jobs } = (await succeed('GET', `/agents/${agent.id}/jobs`)).data
  expect(jobs).toMatchObject([{ name: 'Firing plan', tools: ['read_file'], knowledge_base_ids: null }])
  expect(jobs[0].instructions).toContain('Compare the plan with [the table](references/table.md).')
  expect(jobs[0].instructions).toContain(`<file path="references/table.md">\n${TABLE}</file>`)
  // The model reads when to use it, and not what only the format needs.
  expect(jobs[0].instructions).toMatch(/^---\ndescription: Checks a firing plan\. Use it when somebody sends one\.\n/)

  const again = await exported(agent.id, '?jobs=skills')
  const written = SKILL.replace(' Bash(git:*)', '')
  expect(again.agent.jobs).toEqual([
    {
      name: 'Firing plan',
      instructions: '',
      tools: null,
      knowledge_bases: null,
      filters: null,
      skill: { ...skill, 'SKILL.md': expect.any(String) },
    },
  ])
  const lines = (text: string) => text.split('\n').filter(Boolean).sort()
  const [{ skill: exportedSkill }] = again.agent.jobs
  expect(lines(exportedSkill['SKILL.md'])).toEqual(
    lines(written.replace('metadata:\n', 'metadata:\n  docent-name: Firing plan\n')),
  )

  // Importing it again changes nothing.
  expect(await imported({ agent: again.agent, agent_id: agent.id })).toMatchObject({
    outcome: 'unchanged',
    changes: [],
  })
})

test('a job that was made here goes there and back as a skill, whatever it is narrowed to', async () => {
  const { succeed, exported, imported, newFolder } = await start()
  const kilns = await newFolder('Kilns')
  const agent = (await succeed('POST', '/agents', { name: 'Potter', knowledge_base_ids: [kilns] })).data
  const filters = { all: [{ key: 'department', op: 'eq', value: 'pottery' }] }
  const jobs = [
    {
      name: 'Überprüfung!',
      instructions: '# Plan\n\nCheck it: "twice".',
      tools: [],
      knowledge_base_ids: [kilns],
      filters,
    },
    { name: 'Überprüfung?', instructions: '', tools: ['search_knowledge', 'read_file'] },
    { name: '検査', instructions: 'Ends in a file that never ends\n<file path="a.md">\nx' },
  ]
  for (const job of jobs) await succeed('POST', `/agents/${agent.id}/jobs`, job)
  const plain = await exported(agent.id)
  const { agent: file, unmapped } = await exported(agent.id, '?jobs=skills')
  expect(unmapped).toEqual([])
  const heads = file.jobs.map(({ skill }: any) => skill['SKILL.md'].split('\n').slice(1, 3).join('; '))
  expect(heads).toEqual([
    'name: uberprufung; description: \'Check it: "twice".\'',
    'name: uberprufung-2; description: Überprüfung?',
    'name: job; description: Ends in a file that never ends',
  ])
  await imported({ agent: { ...file, name: 'Twin' } })
  const twins = (await succeed('GET', '/agents')).data.agents
  const twin = await exported(twins.find(({ name }: { name: string }) => name === 'Twin').id)
  // The description is kept before the instructions; all else is the same.
  const withoutDescription = (job: any) => ({
    ...job,
    instructions: job.instructions.replace(/^---\n[\s\S]*?\n---\n*/, ''),
  })
  expect(twin.agent.jobs.map(withoutDescription)).toEqual(plain.agent.jobs)
})

test('what is no skill is refused with its place', async () => {
  const { call } = await start()
  const front = (lines: string) => ({ 'SKILL.md': `---\n${lines}\n---\nBody` })
  await everyRow(
    [
      ['no SKILL.md', { 'README.md': 'x' }, 'must hold SKILL.md'],
      ['no frontmatter', { 'SKILL.md': '# Title' }, 'must begin with a frontmatter'],
      ['no end of it', { 'SKILL.md': '---\nname: a\n' }, 'must begin with a frontmatter'],
      ['no YAML', front('name: [a'), 'is no YAML'],
      ['a list', front('- a'), 'is wrong'],
      ['no name', front('description: x'), 'name is wrong'],
      ['no description', front('name: x'), 'description is wrong'],
      ['a long description', front(`name: x\ndescription: ${'x'.repeat(1025)}`), 'description is wrong'],
      [
        'aliases without end',
        front(
          `name: x\ndescription: y\na: &a [1,1]\nb: &b [*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c]`,
        ),
        'grows without end',
      ],
      [
        'filters that are none',
        front(`name: x\ndescription: y\nmetadata:\n  docent-filters: '{"all": 1}'`),
        'no job can have',
      ],
      ['a way out', { 'SKILL.md': SKILL, '../x': 'x' }, 'must be a path within the folder'],
      ['an absolute path', { 'SKILL.md': SKILL, '/etc/x': 'x' }, 'must be a path within the folder'],
      ['too long', { 'SKILL.md': SKILL, 'a.md': 'x'.repeat(100_001) }, 'must have at most 100000 characters'],
    ] as const,
    async (_name, skill, message) => {
      const { status, body } = await call('POST', '/agents/import', {
        agent: { name: 'X', jobs: [{ name: 'J', skill }] },
      })
      expect(status).toBe(400)
      expect(JSON.stringify(body)).toContain(message)
    },
  )
  const both = { name: 'X', jobs: [{ name: 'J', skill: { 'SKILL.md': SKILL }, instructions: 'And these' }] }
  const refused = await call('POST', '/agents/import', { agent: both })
  expect(refused).toMatchObject({ status: 400 })
  expect(JSON.stringify(refused.body)).toContain('takes the place of')
})
