import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { docx, pptx, wordParagraph, xlsx } from '../../../server/tests/support/test-files/office.ts'
import { pdf, typed } from '../../../server/tests/support/test-files/pdf.ts'
import { launchBrowser } from '../support/browser.ts'
import { type RunningDocent, startDocent } from '../support/docent.ts'
import { driveClient, markedText } from '../support/drive.ts'
import { signedIn } from '../support/signed-in.ts'

const RULE = 'Every loan travels in its own crate, with a courier from the lending house.'
const filler = (page: number) =>
  Array.from({ length: 40 }, (_, line) => `Drawer ${page * 40 + line} of the cabinet holds prints and drawings.`)

const MAIL = [
  'From: Ada <ada@example.com>',
  'To: Keeper <keeper@example.com>',
  'Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe_vom_Turm?=',
  'Date: Tue, 10 Feb 2026 09:30:00 +0000',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary="b"',
  '',
  '--b',
  'Content-Type: text/plain; charset=utf-8',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  'Die Lampe dreht sich =C3=BCber dem Meer.',
  '--b',
  'Content-Type: text/plain; name="plan.txt"',
  'Content-Disposition: attachment; filename="plan.txt"',
  '',
  'A plan.',
  '--b--',
  '',
].join('\r\n')

const place = (x: number) => `<a:off x="${x}" y="4000000"/><a:ext cx="2000000" cy="2000000"/>`
const points = (words: string[]) => words.map((word, at) => `<c:pt idx="${at}"><c:v>${word}</c:v></c:pt>`).join('')
/** Arrow and chart of a slide. */
const SHIPS = {
  shapes: `<p:sp><p:nvSpPr><p:cNvPr id="8" name="a"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm>${place(0)}</a:xfrm><a:prstGeom prst="rightArrow"/><a:solidFill><a:srgbClr val="E76F51"/></a:solidFill></p:spPr><p:txBody><a:bodyPr anchor="ctr"/><a:p><a:pPr><a:buAutoNum type="arabicPeriod"/></a:pPr><a:r><a:t>Out to sea</a:t></a:r></a:p></p:txBody></p:sp><p:graphicFrame><p:xfrm>${place(3_000_000)}</p:xfrm><a:graphic><a:graphicData><c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" r:id="rId1"/></a:graphicData></a:graphic></p:graphicFrame>`,
  chart: `<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:ser><c:tx>${points(['Ships'])}</c:tx><c:cat>${points(['Spring', 'Autumn'])}</c:cat><c:val>${points(['19', '21'])}</c:val></c:ser></c:chartSpace>`,
}

let docent: RunningDocent
let browser: Browser
let folderId: string

beforeAll(async () => {
  docent = await startDocent({ DOCENT_SAMPLE: 'false' })
  const drive = driveClient(docent)
  folderId = await drive.newFolder('Museum')
  const pages = Array.from({ length: 30 }, (_, page) =>
    typed(
      page === 20
        ? ['Handling of loans', '', RULE.slice(0, 37), RULE.slice(37), ...filler(20).slice(20)]
        : filler(page),
    ),
  )
  const bytes = (buffer: Buffer) => Uint8Array.from(buffer)
  const photo = new URL('../../../server/src/content/read/fixtures/parking-permit.jpg', import.meta.url)
  await drive.addFiles(folderId, {
    'loans.pdf': bytes(pdf(pages)),
    'rules.md': `# House rules\n\n${'Drawing with a pencil is welcome. '.repeat(120)}\n\n## Bags\n\nBags larger than a **sheet of paper** stay in the cloakroom. <script>alert(1)</script>\n`,
    'prices.md':
      '# Prices\n\n| What | Price |\n| --- | --- |\n| Tour | free |\n| Workshop | 3 euros |\n| Evening | 9 euros |\n',
    'hours.csv': `Day,Opens\n${Array.from({ length: 3000 }, (_, day) => `Day ${day},${day % 24}:00`).join('\n')}\n`,
    'budget.xlsx': bytes(
      xlsx({
        Income: [
          ['Month', 'Euro'],
          ['May', 1200],
        ],
        Staff: [['Name'], ['Docent']],
      }),
    ),
    'letter.docx': bytes(docx(wordParagraph('Dear lender, the lux meter was calibrated in March.'))),
    'talk.pptx': bytes(
      pptx([
        { title: 'Lamps', lines: ['A lamp of 1890', 'Lit by petroleum'] },
        { title: 'Lenses', lines: ['The prisms were ground in Saint-Gobain'], ...SHIPS },
      ]),
    ),
    'mail.eml': MAIL,
    'notes.txt': `${'Nothing to note.\n'.repeat(2000)}The lamp turns once every twelve seconds.\n`,
    'permit.jpg': bytes(await readFile(photo)),
  })
  browser = await launchBrowser()
}, 180_000)

afterAll(async () => {
  await browser?.close()
  await docent?.stop()
})

const open = (options: object = {}) => signedIn(browser, docent, { path: `/drive/${folderId}`, ...options })

/** Searches in the test search, and opens the first passage. */
async function openFound(page: Page, question: string): Promise<void> {
  await page.goto(`${docent.url}/drive/${folderId}?test=`)
  await page.getByRole('searchbox').fill(question)
  await page.keyboard.press('Enter')
  await page.getByRole('list', { name: 'Passages that were found' }).getByRole('link').first().click()
}

test('a test search tells what an agent would find, and why', async () => {
  const { page, expectAccessible, expectNoTrouble } = await open()
  await page.getByRole('button', { name: 'Test search' }).click()
  await page.getByText('What would an agent find?').waitFor()
  await expectAccessible()
  await page.getByRole('searchbox').fill('Which courier travels with a loan?')
  await page.keyboard.press('Enter')
  const first = page.getByRole('list', { name: 'Passages that were found' }).getByRole('listitem').first()
  await first.getByText('Page 21').waitFor()
  expect(await first.locator('mark').allTextContents()).toEqual(['loans', 'loan', 'travels', 'courier'])
  await first.getByText('Why').click()
  // As it was asked, and not as the index has it.
  await first.getByText('travels', { exact: true }).and(first.locator('summary *')).waitFor()
  await first.getByText('Proximity').waitFor()
  await expectAccessible()
  await page.getByRole('searchbox').fill('xylophone')
  await page.keyboard.press('Enter')
  await page.getByText('No matches').waitFor()
  await page.goBack()
  await first.getByText('Page 21').waitFor()
  expectNoTrouble()
})

test('a PDF opens at the page of a passage, with the passage marked', async () => {
  const { page, expectAccessible, expectNoTrouble } = await open()
  await openFound(page, 'Which courier travels with a loan?')
  await page.getByRole('region', { name: 'Page 21', exact: true }).waitFor()
  await expect.poll(() => markedText(page)).toContain('courier from the lending house')
  expect(await page.getByRole('textbox', { name: 'Page' }).inputValue()).toBe('21')
  // The mark is on the screen.
  const isSeen = await page.evaluate(() => {
    const [range] = CSS.highlights.get('passage') as unknown as Iterable<Range>
    const { top, bottom } = range!.getClientRects()[0]!
    return top > 0 && bottom < innerHeight
  })
  expect(isSeen).toBe(true)
  await expectAccessible()

  // Only what is shown is read.
  await page.getByRole('textbox', { name: 'Page' }).fill('3')
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Page 3', exact: true }).getByText('Drawer 80 of').waitFor()
  expect(await page.locator('canvas').count()).toBeLessThan(6)
  await page.getByRole('button', { name: 'As Docent reads it' }).click()
  await page.getByRole('list', { name: 'Passages' }).locator('mark').getByText('Every loan travels').waitFor()
  await expectAccessible()
  await page.keyboard.press('Escape')
  await page.getByRole('grid').waitFor()
  expectNoTrouble()
})

test('Markdown and text open at the passage', async () => {
  const { page, expectAccessible, expectNoTrouble } = await open()
  await openFound(page, 'Where do bags larger than paper stay?')
  await expect.poll(() => markedText(page)).toContain('Bags larger than a sheet of paper stay in the cloakroom')
  expect(await page.locator('article script').count()).toBe(0)
  await expectAccessible()
  await openFound(page, 'How often does the lamp turn, in seconds?')
  await expect.poll(() => markedText(page)).toContain('The lamp turns once every twelve seconds')
  await page.getByText('The lamp turns once').last().waitFor()
  await expectAccessible()
  expectNoTrouble()
})

test('tables are tables, and pictures are pictures', async () => {
  const { page, expectAccessible, expectNoTrouble } = await open()
  await openFound(page, 'Day 2517')
  await page.getByRole('cell', { name: 'Day 2517' }).waitFor()
  expect(await page.getByRole('row').count()).toBeLessThan(120)
  await expectAccessible()
  const list = `${docent.url}/drive/${folderId}`
  await page.goto(list)
  await page.getByRole('link', { name: 'budget.xlsx' }).click()
  await page.getByRole('cell', { name: '1200' }).waitFor()
  await page.getByRole('button', { name: 'Staff' }).click()
  await page.getByRole('cell', { name: 'Docent' }).waitFor()
  await expectAccessible()
  await page.goto(list)
  await page.getByRole('link', { name: 'permit.jpg' }).click()
  await expect
    .poll(() => page.getByRole('img', { name: 'permit.jpg' }).evaluate((img: HTMLImageElement) => img.naturalWidth))
    .toBeGreaterThan(10)
  await page.getByRole('button', { name: 'Show the picture in its own size' }).click()
  await expectAccessible()
  await page.goto(list)
  await page.getByRole('link', { name: 'letter.docx' }).click()
  const document = page.getByRole('region', { name: 'Document' })
  await document.locator('section.docx').getByText('the lux meter was calibrated').waitFor()
  // Styles of the document apply, without a style element.
  expect(await document.locator('section.docx').evaluate((one) => getComputedStyle(one).backgroundColor)).toBe(
    'rgb(255, 255, 255)',
  )
  await expectAccessible()
  await page.goto(`${page.url()}?quote=${encodeURIComponent('the lux meter was calibrated')}`)
  await expect.poll(() => markedText(page)).toContain('the lux meter was calibrated')

  await page.goto(list)
  await page.getByRole('link', { name: 'talk.pptx' }).click()
  const slide = page.getByRole('region', { name: 'Slide 2' })
  await slide.getByText('The prisms were ground').waitFor()
  // It is shown as a slide, with its title above the text.
  const [title, text] = await Promise.all(
    ['Lenses', 'The prisms were ground'].map((words) => slide.getByText(words).boundingBox()),
  )
  expect(title!.y).toBeLessThan(text!.y)
  // An arrow is one, its text is numbered, and a chart is a table of its values.
  const arrow = slide.locator('div').filter({ hasText: '1.Out to sea' })
  expect(await arrow.evaluate((one) => getComputedStyle(one).clipPath)).toContain('polygon')
  const rows = await slide
    .getByRole('row')
    .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)))
  expect(rows).toEqual([
    ['', 'Ships'],
    ['Spring', '19'],
    ['Autumn', '21'],
  ])
  await expectAccessible()
  await page.goto(`${page.url()}?quote=${encodeURIComponent('ground in Saint-Gobain')}`)
  await expect.poll(() => markedText(page)).toContain('ground in Saint-Gobain')

  await page.goto(list)
  await page.getByRole('link', { name: 'mail.eml' }).click()
  const mail = page.getByRole('region', { name: 'E-mail' })
  await mail.getByRole('heading', { name: 'Grüße vom Turm' }).waitFor()
  await mail.getByText('Ada <ada@example.com>').waitFor()
  await mail.getByText('Die Lampe dreht sich über dem Meer.').waitFor()
  await mail.getByRole('list', { name: 'Attachments' }).getByText('plan.txt').waitFor()
  expect(await mail.getByText('quoted-printable').count()).toBe(0)
  await expectAccessible()
  expectNoTrouble()
})

test('of a cited table only the rows are marked that the answer speaks of', async () => {
  const { docent: service } = driveClient(docent)
  const { data_sources: files } = await service.dataSources.list(folderId)
  const { page, expectAccessible, expectNoTrouble } = await open()
  async function openAt(title: string, find: string, rows: string) {
    const { id } = files.find((file) => 'title' in file && file.title === title)!
    const { passages } = await service.dataSources.text(folderId, id, { find, limit: 1 })
    const all = passages[0]!.text.trim().split('\n')
    expect(all.length).toBeGreaterThan(2)
    const search = new URLSearchParams({ quote: passages[0]!.text.slice(0, 400), rows })
    await page.goto(`${docent.url}/drive/${folderId}/${id}?${search}`)
  }
  await openAt('hours.csv', 'Day: Day 1204 |', 'Day: Day 1204 | Opens: 4:00')
  const row = page.getByRole('row').filter({ hasText: 'Day 1204' })
  await row.waitFor()
  const marked = page.locator('[role=row].bg-mark')
  expect(await marked.allTextContents()).toEqual([expect.stringContaining('Day 1204')])
  await expectAccessible()
  await openAt('prices.md', 'What: Workshop', 'What: Workshop | Price: 3 euros')
  await expect.poll(() => markedText(page)).toMatch(/^\s*Workshop\s*3 euros\s*$/)
  const bar = page.getByRole('region', { name: 'Cited passage' })
  await bar.getByText('What: Workshop · Price: 3 euros').waitFor()
  await expectAccessible()
  // All rows are marked if none is meant, though the document names the columns once and the passage in each row.
  await openAt('prices.md', 'What: Workshop', '')
  await bar.getByText('What: Workshop · Price: 3 euros; What: Evening').waitFor()
  await expect.poll(() => markedText(page)).toMatch(/Tour\s*free.*Evening\s*9 euros/s)
  await bar.getByRole('button', { name: 'More' }).waitFor()
  // Rows that the file does not have change nothing: the passage is marked as it is.
  await openAt('hours.csv', 'Day: Day 1204 |', 'Day: Day 9999 | Opens: never')
  await row.waitFor()
  expect(await marked.count()).toBeGreaterThan(2)
  expectNoTrouble()
})

test('a citation by the id of its file finds it wherever it is', async () => {
  const { docent: service, newFolder, addFiles } = driveClient(docent)
  const [first, second] = [await newFolder('First'), await newFolder('Second')]
  await addFiles(first, { 'lux.md': '# Light\n\nWorks on paper hang at no more than fifty lux.\n' })
  const { data_sources } = await service.dataSources.list(first)
  const { id } = data_sources[0]!
  await service.dataSources.update(first, id, { knowledge_base_id: second })
  const { page, expectNoTrouble } = await signedIn(browser, docent, {
    path: `/drive/file/${id}?quote=${encodeURIComponent('Works on paper hang')}`,
  })
  await page.getByRole('navigation', { name: 'Folders above' }).getByRole('link', { name: 'Second' }).waitFor()
  await expect.poll(() => markedText(page)).toContain('Works on paper hang at no more than fifty lux')
  await service.dataSources.delete(second, [id])
  await page.goto(`${docent.url}/drive/file/${id}`)
  await page.getByText('This file is not here').waitFor()
  expectNoTrouble()
})

test('narrow and dark, lists and previews stay usable', async () => {
  const { page, expectAccessible } = await open({ colorScheme: 'dark', viewport: { width: 375, height: 720 } })
  await page.getByRole('grid').waitFor()
  const isWithin = () => page.evaluate(() => document.documentElement.scrollWidth <= 375)
  expect(await isWithin()).toBe(true)
  await expectAccessible()
  for (const name of ['loans.pdf', 'hours.csv', 'rules.md', 'letter.docx']) {
    await page.getByRole('link', { name }).click()
    await page.getByRole('heading', { name }).waitFor()
    expect(await isWithin()).toBe(true)
    await page.getByRole('button', { name: 'Close the file' }).click()
    // The rows are there at once, not only after the list is read again.
    await page.getByRole('link', { name }).waitFor({ timeout: 5_000 })
  }
})
