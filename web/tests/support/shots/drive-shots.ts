import type { Page } from 'playwright-core'
import { xlsx } from '../../../../server/tests/support/test-files/office.ts'
import { pdf, typed } from '../../../../server/tests/support/test-files/pdf.ts'
import type { RunningDocent } from '../docent.ts'
import { driveClient, markedText } from '../drive.ts'

const HANDBOOK = [
  ['Handbook of loans', '', 'What leaves the house, how it travels, and who goes with it.'],
  [
    'Transport',
    '',
    'Every loan travels in its own crate, with a courier from the lending house. The courier',
    'sees the crate closed, rides with it, and sees it opened again.',
    '',
    'A crate stays closed for twenty-four hours after it has arrived, so that paper and wood',
    'take on the air of the house slowly.',
    '',
    'Insurance',
    '',
    'The borrower insures a loan from nail to nail: from the wall that it leaves to the wall',
    'that it comes back to.',
  ],
]

/** Files of the kinds that have previews, in the first folder of the demo. */
export async function fillDrive(server: RunningDocent): Promise<void> {
  const { docent, addFiles } = driveClient(server)
  const folders = (await docent.knowledgeBases.list()).org_knowledge_bases
  const museum = folders.find(({ name }) => name === 'Museum')!
  const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October']
  await addFiles(museum._id, {
    'loans.pdf': Uint8Array.from(pdf(HANDBOOK.map((lines) => typed(lines, 13)))),
    'visitors.xlsx': Uint8Array.from(
      xlsx({
        'This year': [
          ['Month', 'Visitors', 'Euro'],
          ...months.map((month, n) => [month, 1_180 + n * 137, (1_180 + n * 137) * 9]),
        ],
        'Last year': [['Month', 'Visitors', 'Euro']],
      }),
    ),
  })
  await docent.knowledgeBases.update(museum._id, { user_defined_tags: ['public', '2026'] })
  const staff = folders.find(({ name }) => name === 'Staff')!
  await docent.knowledgeBases.update(staff._id, { user_defined_tags: ['internal'] })
}

/** Visits every page of the drive. @param shoot saves the page under a name */
export async function shootDrive(page: Page, url: string, shoot: (name: string) => Promise<void>): Promise<void> {
  const main = page.getByRole('main')
  await page.goto(`${url}/drive`)
  await page.getByRole('grid').waitFor()
  await shoot('drive')
  await main.getByRole('link', { name: 'Museum' }).click()
  await main.getByRole('link', { name: 'loans.pdf' }).waitFor()
  const folderUrl = page.url()
  await main.getByRole('checkbox', { name: 'Choose house-rules.md' }).click()
  await main.getByRole('checkbox', { name: 'Choose opening-hours.csv' }).click()
  await shoot('drive-folder')
  await page.goto(`${folderUrl}?q=hou`)
  await main.getByText(/names? with/).waitFor()
  await shoot('drive-search')
  await page.goto(`${folderUrl}?test=${encodeURIComponent('How does a loan travel, and who insures it?')}`)
  await main.getByText('Why').first().click()
  await shoot('drive-test-search')
  await main.getByRole('link', { name: 'loans.pdf' }).first().click()
  await main.locator('.pdf-text span').first().waitFor({ state: 'attached' })
  // Polled from outside: the page's policy forbids a function that it would call itself.
  for (let tries = 0; tries < 200 && (await markedText(page)) === ''; tries++) await page.waitForTimeout(50)
  await shoot('drive-pdf')
  await page.goto(folderUrl)
  await main.getByRole('link', { name: 'visitors.xlsx' }).click()
  await main.getByRole('cell', { name: 'October' }).waitFor()
  await shoot('drive-table')
  await page.goto(folderUrl)
  await main.getByRole('link', { name: 'school-classes.md' }).click()
  await main.getByRole('heading', { name: 'What it costs' }).waitFor()
  await main.getByRole('button', { name: 'As Docent reads it' }).click()
  await main.getByRole('list', { name: 'Passages' }).waitFor()
  await shoot('drive-text')
  await page.goto(folderUrl)
  await main.getByRole('link', { name: 'floor-plan.xls' }).click()
  await main.getByText('could not read this file').waitFor()
  await shoot('drive-failed')
  await page.goto(folderUrl)
  await main.getByRole('link', { name: 'Loans', exact: true }).click()
  await main.getByText('Nothing here yet').waitFor()
  await shoot('drive-empty')
  await page.goto(`${url}/drive`)
  await main.getByRole('button', { name: 'Actions for Museum' }).click()
  await page.getByRole('menuitem', { name: 'Share' }).click()
  await page.getByText('Nobody but your own').waitFor()
  await shoot('drive-share')
}
