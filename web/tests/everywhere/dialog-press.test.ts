import { expect, test } from 'vitest'
import { driveClient } from '../support/drive.ts'
import { signedIn } from '../support/signed-in.ts'
import { startUi } from '../support/ui.ts'

const ui = startUi()

test('a dialog closes on a press that begins and ends beside it, and on no other', async () => {
  await driveClient(ui.docent).newFolder('Recipes')
  const { page, expectNoTrouble } = await signedIn(ui.browser, ui.docent, { path: '/drive' })
  await page.getByRole('row').getByRole('button', { name: 'Actions for Recipes' }).click()
  await page.getByRole('menuitem', { name: 'Who can see it' }).click()
  const dialog = page.getByRole('dialog', { name: 'Who can see “Recipes”' })
  await dialog.getByRole('heading', { name: 'Rights given here' }).waitFor()
  const box = (await dialog.boundingBox())!
  const beside = { x: box.x - 40, y: box.y + 60 }
  const inside = { x: box.x + 60, y: box.y + 60 }
  const press = async (from: typeof beside, to: typeof beside) => {
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(to.x, to.y, { steps: 4 })
    await page.mouse.up()
  }
  await press(beside, inside)
  expect(await dialog.count()).toBe(1)
  await press(inside, beside)
  expect(await dialog.count()).toBe(1)
  await press(beside, { ...beside, y: beside.y + 20 })
  await dialog.waitFor({ state: 'detached' })
  expectNoTrouble()
})
