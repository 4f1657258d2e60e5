import type { Heading } from './render.ts'

interface GuidePage {
  title: string
  html: string
  headings: Heading[]
  path: string
}

/** Page as the sidebar lists it. */
interface Listed {
  title: string
  path: string
}

export interface SidebarSection {
  title: string
  pages: Listed[]
}

const API: Listed = { title: 'Reference of the API', path: '/docs' }
const UI: Listed = { title: 'Web interface', path: '/' }

/** Document of a page: nothing in it is a script or a style, or comes from another host. */
export function pageDocument(page: GuidePage, sidebar: SidebarSection[]): string {
  const listed = sidebar.flatMap(({ pages }) => pages)
  const at = listed.findIndex(({ path }) => path === page.path)
  const next = page.path === '/guide' ? listed[0] : at < 0 ? undefined : listed[at + 1]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<title>${escaped(page.title)} · Docent guide</title>
<link rel="icon" href="/favicon.svg" />
<link rel="stylesheet" href="/guide/guide.css" />
<script src="/guide/theme.js"></script>
<script type="module" src="/guide/guide.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header>
<button id="menu" class="menu" type="button" aria-expanded="false" aria-controls="sidebar">Menu</button>
<a class="home" href="/guide">Docent <span>guide</span></a>
<search class="search"><input id="search" type="search" placeholder="Search" aria-label="Search the guide" autocomplete="off" /><kbd>/</kbd><ul id="results" class="results" aria-label="Results" hidden></ul><p id="found" role="status"></p></search>
<nav aria-label="Elsewhere"><a href="/docs">API</a><a href="/">Open Docent</a></nav>
<button id="theme" class="theme" type="button" hidden></button>
</header>
<div class="frame">
<nav id="sidebar" class="sidebar" aria-label="Pages">${sidebar
    .map(
      ({ title, pages }) =>
        `<h2>${escaped(title)}</h2><ul>${pages.map((one) => entry(one, one.path === page.path)).join('')}</ul>`,
    )
    .join('')}<h2>Elsewhere</h2><ul>${entry(API, false)}${entry(UI, false)}</ul></nav>
<main id="content"><article>${page.html}</article>
<nav class="steps" aria-label="Before and next">${step('Before', at > 0 ? listed[at - 1] : undefined)}${step('Next', next)}</nav></main>
${outline(page.headings)}</div>
</body>
</html>
`
}

const entry = ({ path, title }: Listed, isHere: boolean) =>
  `<li><a href="${path}"${isHere ? ' aria-current="page"' : ''}>${escaped(title)}</a></li>`

const step = (label: string, to?: Listed) =>
  to ? `<a href="${to.path}"><small>${label}</small>${escaped(to.title)}</a>` : '<span></span>'

function outline(headings: Heading[]): string {
  const shown = headings.filter(({ depth }) => depth === 2 || depth === 3)
  if (shown.length < 2) return ''
  const items = shown.map(({ depth, id, text }) => `<li class="d${depth}"><a href="#${id}">${escaped(text)}</a></li>`)
  return `<nav class="outline" aria-label="On this page"><h2>On this page</h2><ul>${items.join('')}</ul></nav>\n`
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
