import type { FileFilter } from '@docent/sdk'
import { expect, test } from 'vitest'
import { driveClient } from '../support/drive.ts'
import { signedIn } from '../support/signed-in.ts'
import { startUi } from '../support/ui.ts'

const ui = startUi()

test('the filter of an agent and of a job is shown and changed in the builder', async () => {
  const drive = driveClient(ui.docent)
  const folder = await drive.newFolder('Minutes')
  await drive.addFiles(folder, { 'march.txt': 'The budget was agreed.' })
  const [file] = (await drive.docent.dataSources.list(folder)).data_sources
  await drive.docent.dataSources.update(folder, file!.id, { metadata: { department: 'Board', year: 2026 } })
  const filters: FileFilter = {
    all: [
      { key: 'department', op: 'eq', value: 'Board' },
      { key: 'held', op: 'gte', value: '2026-01-01' },
      { key: 'year', op: 'in', value: [2025, 2026] },
    ],
    any: [{ key: 'draft', op: 'exists', value: false }],
  }
  const agent = await drive.docent.agents.create({ name: 'Clerk', knowledge_base_ids: [folder], filters })
  const path = `/agents/${agent.id}?part=knowledge`
  const { page, expectAccessible, expectNoTrouble } = await signedIn(ui.browser, ui.docent, { path })
  const section = page.getByRole('region', { name: 'Only some files' })
  expect(await section.getByLabel('Value of department').inputValue()).toBe('Board')
  expect(await section.getByLabel('Comparison of held').inputValue()).toBe('gte')
  expect(await section.getByLabel('Value of held').inputValue()).toBe('2026-01-01')
  expect(await section.getByLabel('Comparison of draft').inputValue()).toBe('absent')
  await expectAccessible()

  const bar = page.getByRole('region', { name: 'Unsaved changes' })
  const save = async () => {
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await bar.waitFor({ state: 'detached' })
    return (await drive.docent.agents.get(agent.id)).filters
  }
  await section.getByLabel('Value of department').fill('Works')
  await bar.waitFor()
  await page.getByRole('button', { name: 'Discard' }).click()
  await bar.waitFor({ state: 'detached' })
  expect(await section.getByLabel('Value of department').inputValue()).toBe('Board')

  await section.getByRole('button', { name: 'Remove draft' }).click()
  await section.getByRole('button', { name: 'Remove held' }).click()
  await section.getByRole('button', { name: 'Add a condition' }).click()
  await section.getByLabel('Name of the key').last().fill('pages')
  await section.getByLabel('Comparison of pages').selectOption('is at most or until')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await section.getByText('Fill this in.').waitFor()
  await section.getByLabel('Value of pages').fill('40')
  await section.getByLabel('Which conditions have to be met').selectOption('One of these has to be met')
  expect(await save()).toEqual({
    any: [
      { key: 'department', op: 'eq', value: 'Board' },
      { key: 'year', op: 'in', value: [2025, 2026] },
      { key: 'pages', op: 'lte', value: 40 },
    ],
  })
  for (const key of ['department', 'year', 'pages'])
    await section.getByRole('button', { name: `Remove ${key}` }).click()
  await section.getByText('It reads all files of its folders.').waitFor()
  expect(await save()).toBeNull()

  await page.getByRole('navigation', { name: 'Parts' }).getByRole('link', { name: 'Actions' }).click()
  await page.getByRole('button', { name: 'New job' }).click()
  const form = page.getByRole('dialog', { name: 'New job' })
  await form.getByLabel('Name').fill('Summarize')
  await form.getByRole('button', { name: 'Add a condition' }).click()
  await form.getByLabel('Name of the key').fill('year')
  await form.getByLabel('Kind of year').selectOption('Number')
  await form.getByLabel('Value of year').fill('2026')
  await expectAccessible()
  await form.getByRole('button', { name: 'Create job' }).click()
  await form.waitFor({ state: 'detached' })
  await page.getByText('only some files').waitFor()
  expect(await drive.docent.agents.jobs.list(agent.id)).toMatchObject({
    jobs: [{ filters: { all: [{ key: 'year', op: 'eq', value: 2026 }] } }],
  })
  expectNoTrouble()
})
