// node tools/run.mjs tools/answers/common-words.ts FILE: writes server/src/agents/extractive/common-words.ts from a list of
// English words, a line each, the most frequent first.
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { termOf } from '../../server/src/search/analysis/analysis.ts'

const TERMS = 3_000
const LINE = 116
const FILE = path.join(import.meta.dirname, '../../server/src/agents/extractive/common-words.ts')

const [list] = process.argv.slice(2)
if (!list) throw new Error('Name the list of words')
const words = (await readFile(list, 'utf8')).split('\n').filter((word) => /^[a-z]{2,}$/.test(word))
const terms = [...new Set(words.map(termOf).filter(Boolean))].slice(0, TERMS)
const lines = terms.reduce<string[]>((all, term) => {
  const last = all.at(-1)
  if (last !== undefined && last.length + term.length < LINE) all[all.length - 1] = `${last} ${term}`
  else all.push(term)
  return all
}, [])
await writeFile(
  FILE,
  `/**
 * Terms of the ${TERMS} most frequent words of English, the most frequent first, without stop words. Made by
 * tools/answers/common-words.ts from the words of GloVe 6B (Pennington, Socher, Manning 2014; public domain), which are
 * in this order.
 */
export const COMMON_WORDS = \`
${lines.map((line) => `  ${line}\n`).join('')}\`
`,
)
