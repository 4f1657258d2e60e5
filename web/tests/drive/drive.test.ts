import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Docent } from '@docent/sdk'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { newOrganization } from '../support/admin.ts'
import { launchBrowser } from '../support/browser.ts'
import { type RunningDocent, startDocent } from '../support/docent.ts'
import { driveClient, dropFromDisk, holdFromDisk } from '../support/drive.ts'
import { layLine } from '../support/network/line.ts'
import { signedIn } from '../support/signed-in.ts'

let docent: RunningDocent
let browser: Browser
let drive: ReturnType<typeof driveClient>
let sources: string

beforeAll(async () => {
  sources = await mkdtemp(join(tmpdir(), 'docent-sources-'))
  docent = await startDocent({
    DOCENT_SAMPLE: 'false',
    DOCENT_RATE_LIMIT: '5000',
    DOCENT_RATE_BURST: '5000',
    DOCENT_DIRECTORY_ROOTS: sources,
  })
  drive = driveClient(docent)
  browser = await launchBrowser()
}, 180_000)

afterAll(async () => {
  await browser?.close()
  await docent?.stop()
  await rm(sources, { recursive: true, force: true })
})

const open = (path = '/drive', at: RunningDocent = docent) => signedIn(browser, at, { path })
const findRow = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const titlesIn = async (folderId: string) => {
  const { data_sources } = await drive.docent.dataSources.list(folderId, { order_by: 'title', recursive: true })
  return data_sources.map((item) => ('title' in item ? item.title : item.name))
}

test('dropped folders come with all that is in them; reasons and progress are shown', async () => {
  const { page, expectNoTrouble, expectAccessible } = await open()
  await page.getByRole('heading', { name: 'Put your documents here' }).waitFor()
  await expectAccessible()
  const dropped = await mkdtemp(join(tmpdir(), 'docent-drop-'))
  onTestFinished(() => rm(dropped, { recursive: true }))
  await mkdir(join(dropped, 'Harbour/Boats'), { recursive: true })
  await writeFile(join(dropped, 'Harbour/tides.txt'), 'High tide comes twice a day.')
  await writeFile(join(dropped, 'Harbour/.hidden'), 'x')
  await writeFile(join(dropped, 'Harbour/Boats/old.xls'), Buffer.from('d0cf11e0a1b11ae1', 'hex'))
  // It shows for five seconds, which a machine with much to do may let pass before the next call.
  const uploaded = (text: string) => page.getByRole('region', { name: 'Uploads' }).getByText(text).waitFor()
  await Promise.all([uploaded('2 files: 1 failed · 1 ready'), dropFromDisk(page, [join(dropped, 'Harbour')])])
  await expectAccessible()
  await page.getByRole('region', { name: 'Uploads' }).getByRole('button', { name: 'Close' }).click()
  await page.getByRole('region', { name: 'Uploads' }).waitFor({ state: 'detached' })

  await page.getByRole('main').getByRole('link', { name: 'Harbour' }).click()
  await findRow(page, 'tides.txt').getByText('Ready', { exact: true }).waitFor()
  expect(await page.getByText('.hidden').count()).toBe(0)
  await page.getByRole('main').getByRole('link', { name: 'Boats' }).click()
  await findRow(page, 'old.xls').getByText('old Office format').waitFor()
  await findRow(page, 'old.xls').getByRole('button', { name: 'Actions for old.xls' }).click()
  await page.getByRole('menuitem', { name: 'Try again' }).click()
  await findRow(page, 'old.xls').getByText('Failed').waitFor()

  // Directly into a folder of the list, without opening it.
  await page.getByRole('navigation', { name: 'Folders above' }).getByRole('link', { name: 'Harbour' }).click()
  const box = (await findRow(page, 'Boats').boundingBox())!
  const place = { x: box.x + 300, y: box.y + 20 }
  await Promise.all([uploaded('1 file ready'), dropFromDisk(page, [join(dropped, 'Harbour/tides.txt')], place)])
  const [folder] = (await drive.docent.knowledgeBases.list()).org_knowledge_bases
  const [boats] = (await drive.docent.knowledgeBases.list({ parent_kb_id: folder!._id })).org_knowledge_bases
  expect(await titlesIn(boats!._id)).toEqual(['old.xls', 'tides.txt'])
  expectNoTrouble()
})

test('an upload waits for a line that is away, and goes on', async () => {
  const folderId = await drive.newFolder('Storm')
  const line = await layLine(docent.url)
  onTestFinished(line.close)
  const { page } = await open(`/drive/${folderId}`, { ...docent, url: line.url })
  const picking = page.waitForEvent('filechooser')
  await page.getByRole('main').getByRole('button', { name: 'Add files' }).click()
  line.cut()
  await (await picking).setFiles({ name: 'log.txt', mimeType: 'text/plain', buffer: Buffer.from('Wind force nine.') })
  const tray = page.getByRole('region', { name: 'Uploads' })
  await tray.getByText('Waiting').waitFor()
  line.mend()
  await tray.getByText('1 file ready').waitFor()
  await findRow(page, 'log.txt').getByText('Ready', { exact: true }).waitFor()
  expect(await titlesIn(folderId)).toEqual(['log.txt'])
})

test('rows are chosen with keys and mouse, moved, and moved back', async () => {
  const from = await drive.newFolder('Inbox')
  const to = await drive.newFolder('Sorted', { parent_kb_id: from })
  await drive.addFiles(from, { 'a.txt': 'A', 'b.txt': 'B', 'c.txt': 'C', 'd.txt': 'D' })
  const { page, expectNoTrouble, expectAccessible } = await open(`/drive/${from}`)
  await page.getByRole('button', { name: 'Name' }).click()
  const chosen = page.getByRole('row', { selected: true })
  await findRow(page, 'a.txt').click({ position: { x: 500, y: 20 } })
  await page.keyboard.press('Shift+ArrowDown')
  await expect.poll(() => chosen.count()).toBe(2)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await expect.poll(() => chosen.count()).toBe(3)
  await page.getByText('3 items chosen').waitFor()
  await expectAccessible()
  await page.keyboard.press('Escape')
  await expect.poll(() => chosen.count()).toBe(0)
  await findRow(page, 'a.txt').click({ position: { x: 500, y: 20 } })
  await findRow(page, 'c.txt').click({ position: { x: 500, y: 20 }, modifiers: ['ControlOrMeta'] })

  // Both move with the one that is dragged.
  await findRow(page, 'c.txt').dragTo(findRow(page, 'Sorted'), { sourcePosition: { x: 500, y: 20 } })
  await page.getByText('2 items moved to “Sorted”').waitFor()
  expect(await titlesIn(to)).toEqual(['a.txt', 'c.txt'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await findRow(page, 'a.txt').waitFor()
  await findRow(page, 'c.txt').waitFor()
  expect(await titlesIn(to)).toEqual([])

  await page.keyboard.press('Escape')
  await findRow(page, 'd.txt').click({ position: { x: 500, y: 20 } })
  await page.keyboard.press('m')
  const dialog = page.getByRole('dialog', { name: 'Move “d.txt”' })
  await dialog.getByRole('button', { name: '1 folder in Inbox' }).click()
  await expectAccessible()
  await dialog.getByRole('radio', { name: 'Sorted' }).check({ force: true })
  await dialog.getByRole('button', { name: 'Move here' }).click()
  await findRow(page, 'd.txt').waitFor({ state: 'detached' })
  await expect.poll(() => titlesIn(to)).toEqual(['d.txt'])

  // Keys act on a row wherever in it the focus is.
  await findRow(page, 'a.txt').getByRole('link').focus()
  await page.keyboard.press('F2')
  await page.getByRole('textbox', { name: 'Name' }).fill('alpha.txt')
  await page.keyboard.press('Enter')
  await findRow(page, 'alpha.txt').waitFor()

  await findRow(page, 'alpha.txt').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'alpha.txt' }).waitFor()
  await page.keyboard.press('Escape')
  await page.locator('[role=row]:focus').getByText('alpha.txt').waitFor()

  await page.keyboard.press('ControlOrMeta+a')
  const download = page.waitForEvent('download')
  await page.getByRole('toolbar').getByRole('button', { name: 'Download as ZIP' }).click()
  expect((await readFile(await (await download).path())).subarray(0, 2).toString()).toBe('PK')
  await page.keyboard.press('Escape')
  await findRow(page, 'b.txt').getByRole('button', { name: 'Actions for b.txt' }).click()
  const one = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Download' }).click()
  expect(await readFile(await (await one).path(), 'utf8')).toBe('B')
  expectNoTrouble()
})

test('what is deleted can be had back for a moment, and goes when nobody wants it', async () => {
  const folderId = await drive.newFolder('Bin')
  await drive.newFolder('Old', { parent_kb_id: folderId })
  await drive.addFiles(folderId, { 'one.txt': 'One', 'two.txt': 'Two' })
  const { page, expectNoTrouble } = await open(`/drive/${folderId}`)
  const remove = async (name: string) => {
    await findRow(page, name)
      .getByRole('button', { name: `Actions for ${name}` })
      .click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
  }
  await remove('one.txt')
  await findRow(page, 'one.txt').waitFor({ state: 'detached' })
  expect(await titlesIn(folderId)).toContain('one.txt')
  await page.getByRole('button', { name: 'Undo' }).click()
  await findRow(page, 'one.txt').waitFor()

  // Leaving the page confirms the deletion.
  await findRow(page, 'two.txt').getByRole('link').focus()
  await page.keyboard.press('Delete')
  await findRow(page, 'two.txt').waitFor({ state: 'detached' })
  await page.locator('[role=row]:focus').waitFor()
  await page.reload()
  await findRow(page, 'one.txt').waitFor()
  await expect.poll(() => titlesIn(folderId)).toEqual(['Old', 'one.txt'])

  await remove('Old')
  await page.getByRole('dialog').getByText('nothing').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await findRow(page, 'Old').waitFor({ state: 'detached' })
  await expect.poll(() => titlesIn(folderId)).toEqual(['one.txt'])

  await page.getByRole('main').getByRole('button', { name: 'Actions for Bin' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByText('1 file').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: 'Drive' }).waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'Bin', exact: true }).count()).toBe(0)
  expectNoTrouble()
})

test('names are found while they are typed; tags narrow a list', async () => {
  const letters = await drive.newFolder('Letters', { user_defined_tags: ['archive'] })
  const inner = await drive.newFolder('Answers', { parent_kb_id: letters })
  await drive.addFiles(inner, { 'Reply to the mayor.txt': 'Dear mayor' })
  const { page, expectNoTrouble, expectAccessible } = await open()
  await page.getByRole('grid').waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('MAYOR')
  await findRow(page, 'Reply to the mayor.txt').getByText('in Answers').waitFor()
  await page.getByText('1 name with “MAYOR”').waitFor()
  await expectAccessible()
  await page.getByRole('searchbox').fill('answ')
  await page.getByRole('main').getByRole('link', { name: 'Answers' }).waitFor()
  await page.getByRole('searchbox').fill('dear')
  const said = page.getByRole('region', { name: 'In the documents' })
  await said.getByText('No name has “dear” in it, but these documents mention it:').waitFor()
  await said.getByRole('link', { name: 'Reply to the mayor.txt' }).waitFor()
  expect(await page.getByText('Nothing found').count()).toBe(0)
  await expectAccessible()
  await page.getByRole('searchbox').fill('zzzz')
  await page.getByText('Neither a name nor a document has “zzzz”.').waitFor()
  await page.keyboard.press('Escape')

  await findRow(page, 'Letters').getByRole('button', { name: 'Actions for Letters' }).click()
  await page.getByRole('menuitem', { name: 'Tags' }).click()
  await page.getByRole('dialog').getByLabel('Tags').fill('2026,')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove archive' }).click()
  await expectAccessible()
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '2026', exact: true }).click()
  await expect.poll(() => page.getByRole('row').count()).toBe(2)
  expect((await drive.docent.knowledgeBases.get(letters)).user_defined_tags).toEqual(['2026'])

  // The list of keys is one key away, and so is every page.
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  await expectAccessible()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Search' }).waitFor()
  await page.keyboard.type('agen')
  await page.getByRole('option', { name: 'Agents' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor()
  expectNoTrouble()
})

test('thousands of files scroll, and are chosen and deleted all at once', async () => {
  const folderId = await drive.newFolder('Records')
  const fileId = await drive.docent.files.upload(new File(['Record'], 'record.txt'))
  const add = (n: number) =>
    drive.docent.dataSources.add(folderId, {
      file_id: fileId,
      data_source_title: `record-${String(n).padStart(4, '0')}.txt`,
      trigger_indexing: false,
    })
  for (let n = 0; n < 1_200; n += 20) await Promise.all(Array.from({ length: 20 }, (_, index) => add(n + index)))
  const { page, expectNoTrouble } = await open(`/drive/${folderId}`)
  await page.getByText('1,200 files').waitFor()
  await page.getByRole('button', { name: 'Name' }).click()
  await findRow(page, 'record-0000.txt').click({ position: { x: 500, y: 20 } })
  await page.keyboard.press('End')
  await findRow(page, 'record-1199.txt').waitFor()
  await page.getByRole('link', { name: 'record-1199.txt' }).click()
  await page.getByRole('heading', { name: 'record-1199.txt' }).waitFor()
  await page.goBack()
  await findRow(page, 'record-1199.txt').waitFor()
  await findRow(page, 'record-1199.txt').click({ position: { x: 500, y: 20 } })
  // Only visible rows exist.
  expect(await page.getByRole('row').count()).toBeLessThan(80)
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('record-1199.txt')
  await page.getByRole('checkbox', { name: 'Choose all' }).click()
  await page.getByText('1,200 items chosen').waitFor()
  await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Nothing here yet').waitFor()
  await page.reload()
  await page.getByText('Nothing here yet').waitFor()
  await expect.poll(() => titlesIn(folderId)).toEqual([])
  expectNoTrouble()
})

test('a folder is shared with another organization, which can read it and nothing else', async () => {
  const theirKey = await newOrganization('Customs office', docent)
  const theirs = new Docent({ baseUrl: docent.url, apiKey: theirKey })
  const { organization } = await theirs.me()
  const folderId = await drive.newFolder('Manifest')
  await drive.addFiles(folderId, { 'cargo.txt': 'Forty crates of oranges.' })
  const { page, expectAccessible, expectNoTrouble } = await open()
  await findRow(page, 'Manifest').getByRole('button', { name: 'Actions for Manifest' }).click()
  await page.getByRole('menuitem', { name: 'Share' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share “Manifest”' })
  await dialog.getByText('Nobody but your own organization').waitFor()
  await dialog.getByLabel('Id of the organization').fill('0123456789abcdef01234567')
  await page.keyboard.press('Enter')
  await dialog.getByText('There is no organization with this id').waitFor()
  await dialog.getByLabel('Id of the organization').fill(organization.id)
  await page.keyboard.press('Enter')
  await dialog.getByRole('listitem').filter({ hasText: 'Customs office' }).waitFor()
  await expectAccessible()

  const other = await signedIn(browser, docent, { path: '/drive', key: theirKey })
  await findRow(other.page, 'Manifest').getByText('Shared with you').waitFor()
  await other.page.getByRole('main').getByRole('link', { name: 'Manifest' }).click()
  await other.page.getByText('only they can change it').waitFor()
  expect(await other.page.getByRole('button', { name: 'Add', exact: true }).count()).toBe(0)
  await findRow(other.page, 'cargo.txt').getByRole('button', { name: 'Actions for cargo.txt' }).click()
  await expect.poll(() => other.page.getByRole('menuitem').allTextContents()).toEqual(['Download', 'Metadata…'])
  await other.expectAccessible()

  await dialog.getByRole('button', { name: 'End' }).click()
  await dialog.getByText('Nobody but your own organization').waitFor()
  await expect(theirs.knowledgeBases.get(folderId)).rejects.toMatchObject({ status: 404 })
  expectNoTrouble()
})

test('a linked folder says so, follows its source, and offers no changes', async () => {
  await writeFile(join(sources, 'crane.txt'), 'The crane lifts two tonnes.')
  await drive.docent.integrations.create({
    kind: 'directory',
    knowledge_base_name: 'Workshop',
    config: { path: sources },
  })
  const { page, expectAccessible, expectNoTrouble } = await open()
  await findRow(page, 'Workshop').getByText('Linked').waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Workshop' }).click()
  await page.getByText(`Linked to ${sources}`).waitFor()
  await findRow(page, 'crane.txt').getByText('Ready', { exact: true }).waitFor()
  await holdFromDisk(page, [join(sources, 'crane.txt')])
  await page.getByText('No files can be added to “Workshop”').waitFor()
  await dropFromDisk(page, [join(sources, 'crane.txt')])
  await page.getByText('No files can be added to “Workshop”').waitFor({ state: 'detached' })
  expect(await page.getByRole('region', { name: 'Uploads' }).count()).toBe(0)
  await writeFile(join(sources, 'lathe.txt'), 'The lathe turns left.')
  await page.getByRole('button', { name: 'Sync now' }).click()
  await findRow(page, 'lathe.txt').getByText('Ready', { exact: true }).waitFor()
  await findRow(page, 'crane.txt').getByRole('button', { name: 'Actions for crane.txt' }).click()
  await expect
    .poll(() => page.getByRole('menuitem').allTextContents())
    .toEqual(['Download', 'Who can read it…', 'Versions…', 'Metadata…', 'Index again'])
  expect(await page.getByRole('button', { name: 'Add', exact: true }).count()).toBe(0)
  await expectAccessible()
  expectNoTrouble()
})
