import { expect, test } from 'vitest'
import { estimateTokens, MOST_TOKENS_PER_CHARACTER } from './estimate-tokens.ts'

// Counted with OpenAI's o200k_base.
test.each([
  [
    'English',
    "The provider answers within thirty days. If it doesn't, interest is due from the day after, at nine percentage points above the base rate.",
    28,
  ],
  [
    'German',
    'Die Zahlungsfrist beträgt dreißig Tage ab Rechnungsdatum. Bei Überschreitung der Frist werden Verzugszinsen in Höhe von neun Prozentpunkten über dem Basiszinssatz berechnet.',
    42,
  ],
  [
    'Russian',
    'Срок оплаты составляет тридцать дней с даты выставления счёта. При нарушении срока начисляются проценты.',
    25,
  ],
  ['Arabic', 'مدة السداد ثلاثون يوما من تاريخ الفاتورة. في حالة التأخر تحتسب فوائد تأخير.', 23],
  [
    'Chinese',
    '付款期限为自发票开具之日起三十天。逾期将计收滞纳金。供应商对所有交付的货物提供为期二十四个月的质量保证。',
    44,
  ],
  ['Japanese', '支払期限は請求書の日付から三十日とします。期限を過ぎた場合は遅延利息が発生します。', 33],
  ['Hindi', 'भुगतान की अवधि चालान की तारीख से तीस दिन है। देरी होने पर ब्याज लगाया जाएगा।', 24],
  [
    'code',
    'export async function findChat(db: Db, id: string): Promise<Chat | undefined> {\n  return db.get(id)\n}\n',
    27,
  ],
  ['JSON', '{"error_code":"NOT_FOUND","details":[{"path":"a.b","message":"is missing"}],"count":1234567}', 27],
  ['a table', '2026-01-31\t1,204.50\tEUR\n2026-02-28\t980.00\tEUR\n2026-03-31\t77.25\tUSD\n', 41],
])('%s is estimated near what a tokenizer counts', (_name, text, counted) => {
  expect(estimateTokens(text) / counted).toBeGreaterThan(0.75)
  expect(estimateTokens(text) / counted).toBeLessThan(1.6)
})

test('nothing takes nothing', () => {
  expect(estimateTokens('')).toBe(0)
})

test.each([
  'a1'.repeat(500),
  'é é '.repeat(500),
  '漢'.repeat(500),
  '\n.'.repeat(500),
  '😀'.repeat(500),
  '5 '.repeat(500),
])('no text has more tokens than the bound says: %.4s', (text) => {
  expect(estimateTokens(text)).toBeLessThanOrEqual(text.length * MOST_TOKENS_PER_CHARACTER)
})
