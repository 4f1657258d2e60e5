import { expect, test } from 'vitest'
import { startTestApp } from '../../server/tests/support/test-app.ts'
import { cliOf } from './run-cli.ts'

const CSV =
  'question,expected_answers,answerable\nAt how many degrees does the kiln fire?,1260 degrees,\nWho won?,,false\n'

test('a question set is made of a table, run and compared', async () => {
  const app = await startTestApp()
  const { run, json, client } = await cliOf(app, {
    'kiln.txt': 'The kiln fires at 1260 degrees.',
    'questions.csv': CSV,
    'hard.csv': 'question,expected_answers\nWho won the regatta in Kiel?,Ada\n',
    'broken.csv': 'question,tags\n,x\n',
  })
  await json('put', 'kiln.txt', '/Kilns', '--wait')
  const [{ id: kilns }] = (await json('ls')).folders
  const agent = await client.agents.create({
    name: 'Potter',
    model: 'builtin/extractive',
    knowledge_base_ids: [kilns],
  })
  const broken = await run(['evals', 'import', 'Potter', 'Everyday', 'broken.csv'])
  expect(broken).toMatchObject({ code: 1, err: expect.stringContaining('line 2: question: must not be empty') })
  expect((await json('evals', 'list', 'Potter')).evaluation_sets).toEqual([])
  expect((await run(['evals', 'import', 'Potter', 'Everyday', 'questions.csv'])).out).toBe('2 added, 0 were there\n')

  const first = await run(['evals', 'run', 'Potter', 'everyday'])
  expect(first).toMatchObject({ code: 0, out: expect.stringMatching(/completed {2}2 of 2 cases/) })
  expect(first.out).toMatch(/quoted +100\.0 % +of 1/)
  expect((await run(['evals', 'import', 'Potter', 'Hard', 'hard.csv'])).code).toBe(0)
  const declined = await run(['evals', 'run', 'Potter', 'Hard', '--max', 'declined_wrong=0.5'])
  expect(declined).toMatchObject({ code: 1, err: expect.stringContaining('declined_wrong is above 0.5') })
  expect(await run(['evals', 'run', 'Potter', 'Hard', '--max', 'declined_wrong=1'])).toMatchObject({ code: 0 })
  await client.agents.update(agent.id, { knowledge_base_ids: [] })
  expect(await run(['evals', 'run', 'Potter', 'Everyday', '--min', 'quoted=0.5'])).toMatchObject({ code: 1 })
  const [{ id: latest }] = (await json('evals', 'list', 'Potter')).evaluation_runs
  for (const [limits, words] of [
    [['--min', 'nonsense=0.5'], 'nonsense'],
    [['--max', 'nonsense=0.5'], 'nonsense'],
    [['--min', 'declined_wrong=0.5'], '--max declined_wrong=0.5'],
    [['--max', 'quoted=0.5'], '--min quoted=0.5'],
  ] as const)
    expect(await run(['evals', 'run', 'Potter', 'Everyday', ...limits])).toMatchObject({
      code: 2,
      err: expect.stringContaining(words),
    })
  expect((await json('evals', 'list', 'Potter')).evaluation_runs[0].id).toBe(latest)
  const runs = (await json('evals', 'list', 'Potter')).evaluation_runs
  const [after, before] = runs.filter((one: any) => one.case_count === 2)
  const compared = await run(['evals', 'compare', 'Potter', before.id, after.id])
  expect(compared.out).toContain('The agent differs in knowledge_base_ids')
  expect(compared.out).toMatch(/worse: At how many degrees does the kiln fire\? .*-quoted/)
  expect(await run(['evals', 'run', 'Potter', 'Weekly'])).toMatchObject({ code: 4 })
  expect(await run(['evals', 'run', 'Potter', 'Everyday', '--min', 'quoted'])).toMatchObject({ code: 2 })
})
