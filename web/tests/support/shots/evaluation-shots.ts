import { setTimeout as delay } from 'node:timers/promises'
import { Docent } from '@docent/sdk'
import type { Page } from 'playwright-core'
import type { RunningDocent } from '../docent.ts'

const CASES = [
  { question: 'Is the house open on Thursday evening?', expected_answers: ['nine'] },
  { question: 'What does a school class pay?', expected_answers: ['4 euro'] },
  { question: 'Who painted the ceiling?', answerable: false },
]

interface Evaluated {
  agentId: string
  setId: string
  /** Runs of the set, earliest first. */
  runIds: string[]
}

/** Question set of an agent, and two runs of it. */
export async function addEvaluation({ url, apiKey }: RunningDocent, agentId: string): Promise<Evaluated> {
  const { evaluation } = new Docent({ baseUrl: url, apiKey })
  const { id: setId } = await evaluation.sets.create(agentId, { name: 'What visitors ask' })
  await evaluation.cases.add(agentId, setId, { from: 'cases', cases: CASES })
  const runIds: string[] = []
  for (const _ of [1, 2]) {
    const { id } = await evaluation.runs.start(agentId, setId)
    while ((await evaluation.runs.get(agentId, id)).status !== 'completed') await delay(200)
    runIds.push(id)
  }
  return { agentId, setId, runIds }
}

/** Visits a question set, a run of it, and the comparison of two. @param shoot saves the page under a name */
export async function shootEvaluation(
  page: Page,
  url: string,
  { agentId, setId, runIds: [before, run] }: Evaluated,
  shoot: (name: string) => Promise<void>,
): Promise<void> {
  const show = async (search: string, name: string) => {
    await page.goto(`${url}/agents/${agentId}/evaluation?${search}`)
    await page.getByRole('table').first().waitFor()
    await page.waitForLoadState('networkidle')
    await shoot(name)
  }
  await show(`set=${setId}`, 'evaluation-set')
  await show(`set=${setId}&run=${run}`, 'evaluation-run')
  await show(`set=${setId}&run=${run}&before=${before}`, 'evaluation-comparison')
}
