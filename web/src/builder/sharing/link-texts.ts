import { type I18n, setupI18n } from '@lingui/core'
import type { Language } from '../../../languages/languages.ts'
import { CATALOGS } from '../../platform/language.ts'

/** Texts of the start and of a section in any language, for what is shown as others see it. */
export async function textsIn(language: Language, section: string): Promise<I18n> {
  const start = language === 'en' ? null : await CATALOGS[language]()
  const own = await start?.sections[section]?.()
  const texts = setupI18n()
  texts.setMessagesCompiler((text) => [text])
  texts.load(language, { ...start?.messages, ...own?.messages })
  texts.activate(language)
  return texts
}
