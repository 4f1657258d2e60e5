import { expect, test } from 'vitest'
import { languageOf } from './language-of.ts'

test.each([
  ['The refund period is 14 days, and the lamp is lit at sunset.', 'en'],
  ['Die Frist beträgt 14 Tage, und der Antrag ist schriftlich zu stellen.', 'de'],
  ['Le délai est de 14 jours, et les frais ne sont pas remboursés.', 'fr'],
  ['El plazo es de 14 días y los gastos no se devuelven.', 'es'],
  ['Срок составляет 14 дней (см. Terms and Conditions).', 'ru'],
  ['期限为14天。', 'zh'],
  ['期限は14日です。', 'ja'],
  ['المهلة 14 يومًا بحسب Handbook.', 'ar'],
  ['14', undefined],
  ['Docent', undefined],
])('%j is in %s', (text, language) => {
  expect(languageOf(text)).toBe(language)
})
