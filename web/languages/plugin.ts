import { relative } from 'node:path'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { transform } from '@lingui/native-tools'
import type { Plugin } from 'vite'
import { catalogPath, readCatalog, translations } from './catalog.ts'
import type { Language } from './languages.ts'
import { type Message, readMessages } from './messages.ts'
import { modulesBySection, SOURCES, START } from './sections.ts'

const CATALOG = /^virtual:messages\/([a-z]+)(?:\/([a-z-]+))?$/

/**
 * Compiles Lingui's macros, and the English texts beside them: English needs neither catalog nor parser in the browser.
 * `virtual:messages/TAG` has the start's messages in a language, and loads those of a section when it is opened.
 */
export function languages(): Plugin {
  let texts: Promise<Map<string, Message>> | undefined
  let modules: Promise<Map<string, Set<string>>> | undefined
  return {
    name: 'docent:languages',
    enforce: 'pre',
    resolveId: (id) => (CATALOG.test(id) ? `\0${id}` : undefined),
    async load(id) {
      const [, language, section = START] = (id.startsWith('\0') && CATALOG.exec(id.slice(1))) || []
      if (!language) return
      texts ??= readMessages()
      modules ??= modulesBySection()
      this.addWatchFile(catalogPath(language as Language))
      const shown = (await modules).get(section)!
      const known = translations(await readCatalog(language as Language))
      const found = [...(await texts).values()]
        .filter(({ text, sources }) => known.has(text) && sources.some((path) => shown.has(`${SOURCES}/${path}`)))
        .map(({ id: key, text }) => ({ key: keyOf(key, text), own: known.get(text)! }))
        // Texts that begin alike are together, which makes them 2 % smaller compressed.
        .sort((a, b) => (a.own < b.own ? -1 : 1))
      const compiled = found.map(({ key, own }) => [key, HAS_PARTS.test(own) ? compileMessage(own) : own])
      const parts = section === START ? [...(await modules).keys()].filter((name) => name !== START) : []
      return [
        `export const messages = JSON.parse(${JSON.stringify(JSON.stringify(Object.fromEntries(compiled)))})`,
        `export const sections = {${parts.map((name) => `'${name}': () => import('virtual:messages/${language}/${name}')`)}}`,
      ].join('\n')
    },
    transform: {
      filter: { id: /web\/src\/.*\.tsx?$/, code: /@lingui\/(core|react)\/macro/ },
      async handler(code, id) {
        const { code: plain } = await transform(code, relative(SOURCES, id), {
          macro: { descriptorFields: 'message' },
          sourceMaps: false,
        })
        return { code: plain.replaceAll(PLAIN, shortened).replaceAll(WITH_PARTS, compiled), map: null }
      },
    },
  }
}

const TEXT = '("(?:[^"\\\\\n]|\\\\.)*")'
const PLAIN = new RegExp(`\\bid: "[\\w+/-]+",\\s*message: ${TEXT}`, 'g')
const WITH_PARTS = new RegExp(`\\bmessage: ${TEXT}`, 'g')

/** Key of a text in the compiled catalogs: its id, or the text itself where nothing is put into it. */
const keyOf = (id: string, text: string): string => (isPlain(text) ? text : id)

/** Whether a text is its own key: nothing is put into it, and it is short, so that catalogs are small, too. */
const isPlain = (text: string): boolean => text.length <= 28 && !HAS_PARTS.test(text)

const HAS_PARTS = /[{}'<\\]/

/** Leaves a plain text once in the code, as its own id. */
const shortened = (whole: string, literal: string): string =>
  isPlain(JSON.parse(literal) as string) ? `id: ${literal}` : whole

/** Compiles an English text. */
const compiled = (_: string, literal: string): string =>
  `message: ${JSON.stringify(HAS_PARTS.test(literal) ? compileMessage(JSON.parse(literal) as string) : JSON.parse(literal))}`
