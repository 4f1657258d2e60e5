import { expect, test } from 'vitest'
import { archive } from '../../../server/tests/support/test-files/archive.ts'
import { driveClient } from '../support/drive.ts'
import { signedIn } from '../support/signed-in.ts'
import { startUi } from '../support/ui.ts'

const ui = startUi()

test('a ZIP is unpacked as a folder, and says what was left out', async () => {
  const client = driveClient(ui.docent).docent
  const shelf = await client.knowledgeBases.create({ knowledge_base_name: 'Shelf' })
  const { page, expectNoTrouble, expectAccessible } = await signedIn(ui.browser, ui.docent, {
    path: `/drive/${shelf.id}`,
  })
  await page.getByRole('button', { name: 'Add', exact: true }).first().click()
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('menuitem', { name: 'Unpack a ZIP as a folder…' }).click()
  const pick = async (chooser: Awaited<typeof choosing>, content: Buffer) =>
    chooser.setFiles({ name: 'Papers.zip', mimeType: 'application/zip', buffer: content })
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })
  await pick(
    await choosing,
    archive([
      { name: 'deep/kiln.txt', content: 'The kiln.' },
      { name: 'secret.txt', content: 'x', flags: 1 },
    ]),
  )
  await row('Papers.zip').getByText('Failed').waitFor()
  await page.getByRole('region', { name: 'Uploads' }).getByText('it is password-protected').waitFor()
  await page.reload()
  await row('Papers').first().waitFor()
  await expectAccessible()
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/archive.png` })
  await page.getByRole('link', { name: 'Papers', exact: true }).click()
  await page.getByRole('link', { name: 'deep', exact: true }).click()
  await row('kiln.txt').getByText('Ready').waitFor()
  expect(await page.getByText('secret.txt').count()).toBe(0)

  // An archive that is there in whole goes, which is no failure.
  await page.goto(`${ui.docent.url}/drive/${shelf.id}`)
  await page.getByRole('button', { name: 'Add', exact: true }).first().click()
  const again = page.waitForEvent('filechooser')
  await page.getByRole('menuitem', { name: 'Unpack a ZIP as a folder…' }).click()
  await pick(await again, archive([{ name: 'glaze.txt', content: 'The glaze.' }]))
  await page.getByRole('region', { name: 'Uploads' }).getByText('1 file ready').waitFor()
  await row('Papers.zip').nth(1).waitFor({ state: 'detached' })
  expectNoTrouble()
})
