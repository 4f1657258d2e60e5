import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { readContents } from './contents.ts'
import { pageDocument, type SidebarSection } from './page.ts'
import { type LinkTo, parse, type Rendered, render } from './render.ts'

export interface GuideSite {
  /** Document of a page by its path, as `/guide/webhooks`; undefined if there is none. */
  page(path: string): Promise<string | undefined>
  /** Passages of all pages, as JSON. */
  searchIndex(): Promise<string>
  /** Paths of all pages. */
  paths: string[]
}

const CONTENTS = 'docs/README.md'

/** Path of a page: `docs/runs.md` is `/guide/runs`, and `sdk/README.md` is `/guide/sdk-readme`. */
const pathOf = (file: string) =>
  file === CONTENTS
    ? '/guide'
    : `/guide/${file.startsWith('docs/') ? file.slice(5, -3) : file.slice(0, -3).replaceAll('/', '-').toLowerCase()}`

/** Reads docs/, with the pages beside it that its contents name. @param root folder that docs/ is in */
export async function readSite(root: string): Promise<GuideSite> {
  const contents = readContents(parse(await readFile(join(root, CONTENTS), 'utf8')))
  const named = contents.flatMap(({ pages }) => pages.map(({ href }) => posix.join('docs', href)))
  const within = (await readdir(join(root, 'docs'), { recursive: true })).map((file) => `docs/${file}`)
  const all = [...within, ...named].map((file) => file.replaceAll('\\', '/'))
  const files = new Set(all.filter((file) => file.endsWith('.md') && existsSync(join(root, file))))
  const fileOf = new Map([...files].map((file) => [pathOf(file), file]))
  const sidebar = contents.map(({ title, pages }): SidebarSection => {
    const kept = pages.map((page) => ({ title: page.title, file: posix.join('docs', page.href) }))
    return {
      title,
      pages: kept.filter(({ file }) => files.has(file)).map((page) => ({ title: page.title, path: pathOf(page.file) })),
    }
  })
  const renderFile = async (file: string): Promise<Rendered> =>
    render(parse(await readFile(join(root, file), 'utf8')), linksFrom(file, files))

  return {
    async page(path) {
      const file = fileOf.get(path)
      return file && pageDocument({ ...(await renderFile(file)), path }, sidebar)
    },
    async searchIndex() {
      const found = []
      for (const [path, file] of fileOf) {
        const { title, passages } = await renderFile(file)
        for (const { heading, anchor, text } of passages)
          found.push({ id: `${path}#${anchor}`, title, heading, text: text.replace(/\s+/g, ' ').trim() })
      }
      return JSON.stringify(found)
    },
    paths: [...fileOf.keys()],
  }
}

const linksFrom =
  (file: string, files: ReadonlySet<string>): LinkTo =>
  (href) => {
    if (/^(https?:|#|\/)/.test(href)) return href
    const [path = '', anchor] = href.split('#')
    const target = posix.join(posix.dirname(file), path)
    if (target === 'openapi.json') return '/openapi.json'
    if (!files.has(target)) return undefined
    return `${pathOf(target)}${anchor ? `#${anchor}` : ''}`
  }
