import { describe, expect, test } from 'vitest'
import { startTestReader } from '../../../tests/support/test-files/reader.ts'
import { MakeFailure } from './failure.ts'
import { make } from './make.ts'
import type { GivenPicture } from './make-request.ts'

const { read } = startTestReader()

const REPORT = `# Jahresbericht: Übersicht

Ein Absatz mit **fettem** und *kursivem* Text, \`code\`, einem [Link](https://example.com/a) und ~~altem~~ Text.
Ελληνικά, Русский, ½ → ≤ ✓. Von ~5 bis ~10 Stück.

## Liste

1. Erstens
   - innen
2. Zweitens

- [x] erledigt

> Ein Zitat

## Code

\`\`\`
function f() {
  return 1
}
\`\`\`

## Tabelle

| Name | Menge | Preis |
|:-----|:-----:|------:|
| Äpfel | 12 | 1,20 € |
| Birnen | 3 | 14,99 € |
| Quitten | 40 | 0,80 € |

## Ende

Mit Fußnote[^1].

[^1]: Text der Fußnote.
`
const WORDS = [
  'Jahresbericht: Übersicht',
  'fettem',
  'Ελληνικά, Русский',
  '→ ≤',
  'Von ~5 bis ~10',
  'Erstens',
  'innen',
  'Ein Zitat',
  'Äpfel',
  '14,99 €',
  'return 1',
  'Text der Fußnote',
]

async function pagesOf(bytes: Buffer) {
  const { LiteParse } = await import('@llamaindex/liteparse')
  return (await new LiteParse({ ocrEnabled: false, quiet: true, keepHeadersFooters: true }).parse(bytes)).pages
}

/** All words as another library reads them, whatever the lines. */
async function wordsOf(kind: 'pdf' | 'docx', bytes: Buffer): Promise<string> {
  const texts =
    kind === 'pdf'
      ? (await pagesOf(bytes)).map(({ text }) => text)
      : (await read('a.docx', bytes)).chunks.map(({ text, location }) => `${location.heading_path?.join(' ')} ${text}`)
  return texts.join(' ').replaceAll(/\s+/g, ' ')
}

type More = { page?: 'A4 landscape'; pictures?: GivenPicture[] }
const makeDocument = (kind: 'pdf' | 'docx', content: string, { page, pictures = [] }: More = {}) =>
  make({ kind, content, title: 'Untitled', page: page ?? 'A4', pictures })

for (const kind of ['pdf', 'docx'] as const) {
  describe(kind, () => {
    test('holds what the Markdown says, as text that can be read out again', async () => {
      const { bytes, notes } = await makeDocument(kind, REPORT)
      const text = await wordsOf(kind, bytes)
      expect((await read(`report.${kind}`, bytes)).format).toBe(kind)
      for (const words of WORDS) expect(text).toContain(words)
      expect(text).not.toMatch(/\*\*|~~|\[\^1\]|`/)
      expect(notes).toEqual([])
    })

    test('shows charts that are written in it, and pictures that were made before', async () => {
      const chart = { type: 'bar', categories: ['a', 'b'], series: [{ values: [1, 2] }] }
      const png = await make({ kind: 'png', chart: chart as never })
      const block = `\`\`\`chart\n${JSON.stringify(chart)}\n\`\`\``
      const plain = (await makeDocument(kind, 'Text')).bytes.length
      const charted = (await makeDocument(kind, `Text\n\n${block}`)).bytes.length
      const pictures = [{ name: 'my chart.png', mediaType: 'image/png', bytes: png.bytes }]
      const pictured = await makeDocument(kind, 'Text ![a chart](my%20chart.png)', { pictures })
      expect(charted).toBeGreaterThan(plain + 5_000)
      expect(pictured.bytes.length).toBeGreaterThan(plain + 5_000)
      expect(pictured.notes).toEqual([])
    })

    test('says which pictures it does not have, and never fetches any', async () => {
      const { bytes, notes } = await makeDocument(kind, '![The harbour](http://127.0.0.1:9/a.png)')
      expect(notes).toEqual([expect.stringContaining('There is no picture http://127.0.0.1:9/a.png')])
      expect(await wordsOf(kind, bytes)).toContain('[The harbour]')
    })

    test('takes what a careless or hostile text may hold', async () => {
      const content = `# A\u0000B\u0007 \ud800\n\n<script>alert(1)</script>Text <b>bold</b><br>next\n\n[x](javascript:alert(1)) [y](/etc/passwd)\n\n${'* '.repeat(60)}deep\n\n| a |\n|---|\n| b | c |\n\n${'long'.repeat(500)}`
      const { bytes } = await makeDocument(kind, content)
      const text = await wordsOf(kind, bytes)
      expect(text).toContain('AB')
      expect(text).toContain('Text bold next')
      expect(text).not.toContain('alert(1)</')
      expect(text).toContain('deep')
      expect(bytes.includes('javascript:')).toBe(false)
    })

    test('of nothing, or with a chart that makes no sense, is refused', async () => {
      await expect(makeDocument(kind, ' \n')).rejects.toThrow(new MakeFailure('The content is empty.'))
      await expect(makeDocument(kind, '```chart\n{"type":\n```')).rejects.toThrow(/not valid JSON/)
      const noCategories = '```chart\n{"type":"bar","series":[{"values":[1]}]}\n```'
      await expect(makeDocument(kind, noCategories)).rejects.toThrow(/A bar chart needs categories/)
    })
  })
}

describe('pdf', () => {
  test('numbers its pages, and repeats the header of a long table on each', async () => {
    const rows = Array.from({ length: 100 }, (_, index) => `| ${index} | row ${index} |`).join('\n')
    const { bytes } = await makeDocument('pdf', `| Number | Words |\n|---|---|\n${rows}`)
    const pages = await pagesOf(bytes)
    expect(pages.length).toBeGreaterThan(1)
    for (const [index, { text }] of pages.entries()) {
      expect(text).toMatch(/Number\s+Words/)
      expect(text).toContain(`${index + 1} / ${pages.length}`)
    }
  })

  test('is as wide as it was asked to be, and nothing stands beyond its edges', async () => {
    const header = Array.from({ length: 14 }, (_, index) => `Column_with_a_long_name_${index}`)
    const table = `| ${header.join(' | ')} |\n|${'---|'.repeat(14)}\n| ${header.join(' | ')} |`
    for (const [page, width] of [
      [undefined, 595],
      ['A4 landscape', 842],
    ] as const) {
      const { bytes } = await makeDocument('pdf', table, { page })
      const pages = await pagesOf(bytes)
      expect(Math.round(pages[0]!.width)).toBe(width)
      const right = Math.max(...pages[0]!.textItems.map((item) => item.x + item.width))
      expect(right).toBeLessThan(width - 40)
    }
  })

  test('loses nothing, and leaves no heading alone at the end of a page, whatever follows it', async () => {
    const cell = 'A cell with many words that must be wrapped again and again. '.repeat(30)
    const parts = Array.from({ length: 24 }, (_, index) => [
      `- one of ${index}\n${'- and another item of it\n'.repeat(9 + (index % 7))}`,
      `Words of ${index}. ${'Some words that say little. '.repeat(5 + (index % 40))}`,
      `> - quote of ${index}\n>   1. ${'deep inside it '.repeat(60)}`,
      `| a | b |\n|---|---|\n| table of ${index} | ${index % 5 === 3 ? cell : 'x'} |`,
    ])
    const sections = parts.flat().map((part, index) => `## Section ${index}\n\n### Below ${index}\n\n${part}`)
    const { bytes } = await makeDocument('pdf', sections.join('\n\n'))
    const isFooter = (line: string) => /^\s*\d+ \/ \d+\s*$/.test(line)
    const pages = (await pagesOf(bytes)).map((page) =>
      page.text.split('\n').filter((line) => line.trim() && !isFooter(line)),
    )
    const text = pages.flat().join(' ').replaceAll(/\s+/g, ' ')
    for (const index of parts.keys()) {
      for (const words of [`one of ${index} `, `Words of ${index}.`, `quote of ${index} `, `table of ${index} `]) {
        expect(text).toContain(words)
      }
    }
    for (const index of sections.keys()) expect(text).toContain(`Below ${index} `)
    expect(text.match(/and another item of it/g)).toHaveLength(282)
    expect(text.match(/wrapped/g)).toHaveLength(5 * 30)
    for (const lines of pages) expect(lines.at(-1)).not.toMatch(/Section \d+|Below \d+/)
  })

  test('has the cells of a row side by side', async () => {
    const { bytes } = await makeDocument('pdf', REPORT)
    expect((await pagesOf(bytes))[0]!.text).toMatch(/Birnen +3 +14,99 €/)
  })

  test('text from right to left is read in its order, begins on the right, and has lists and tables that do', async () => {
    const content = `# تقرير المنارة

كتبت Ada Lovelace الملف crew.md في عام 1843 (مرتين) إلى الأبد.

- أولا

| الاسم | العدد |
|---|---|
| تفاح | 12 |

> *اقتباس*

می‌خواهم ۱۲۳

המנורה מסתובבת (כל 12 שניות)`
    const { bytes, notes } = await makeDocument('pdf', content)
    expect(notes).toEqual([])
    const [page] = await pagesOf(bytes)
    const text = page!.text.normalize('NFKC')
    for (const words of ['المنارة', 'Ada Lovelace', '1843', 'في', 'إلى', 'الأبد', 'اقتباس', '۱۲۳', 'המנורה'])
      expect(text).toContain(words)
    const at = (words: string) => page!.textItems.find((item) => item.text.normalize('NFKC').includes(words))!
    const rightOf = (words: string) => Math.round(at(words).x + at(words).width)
    for (const words of ['تقرير', 'كتبت', '•', 'خواهم', 'המנורה'])
      expect(rightOf(words), words).toBeCloseTo(595 - 62, -0.7)
    expect(at('الاسم').x).toBeGreaterThan(rightOf('العدد'))
    // Each word is read out as it is, their order is that on paper.
    expect(page!.text).toMatch(/Ada Lovelace +كتبت/)
  })

  test('names its title and an outline', async () => {
    const { bytes } = await makeDocument('pdf', '# Plan\n\n## Part\n\nText')
    expect((await read('plan.pdf', bytes)).title).toBe('Plan')
    expect(bytes.toString('latin1')).toContain('/Outlines')
  })

  test('is refused for letters that no font has, naming what to make instead; signs become boxes', async () => {
    await expect(makeDocument('pdf', '日本語 и русский')).rejects.toThrow(/\(Han\)\. Make a \.docx or \.html file/)
    const { notes } = await makeDocument('pdf', 'A sign \u{1fbf0} of old computers')
    expect(notes).toEqual([expect.stringContaining('\u{1fbf0}')])
  })
})

test('docx keeps headings and tables as such', async () => {
  const { bytes } = await makeDocument('docx', REPORT)
  const { chunks } = await read('report.docx', bytes)
  const pears = chunks.find(({ text }) => text.includes('Birnen'))!
  expect(pears.location.heading_path).toEqual(['Jahresbericht: Übersicht', 'Tabelle'])
  expect(pears.text).toMatch(/Name: Birnen.*Preis: 14,99 €/s)
})

test('docx takes every script, and marks what runs from right to left', async () => {
  const { bytes } = await makeDocument('docx', '# שלום\n\n日本語')
  const text = await wordsOf('docx', bytes)
  expect(text).toContain('שלום')
  expect(text).toContain('日本語')
  const { unzipSync } = await import('fflate')
  const xml = new TextDecoder().decode(unzipSync(bytes)['word/document.xml'])
  expect(xml.match(/<w:bidi\/>/g)).toHaveLength(1)
})
