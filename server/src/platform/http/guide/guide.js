// Search, copy buttons, the choice of light or dark, and the menu of the guide's pages.
const results = document.getElementById('results')
const found = document.getElementById('found')
const field = document.getElementById('search')
const menu = document.getElementById('menu')
const theme = document.getElementById('theme')
const SHOWN = 8
/** Program of the search, which the server takes from its package. */
const MINISEARCH = '/guide/minisearch.js'
let index

async function loadIndex() {
  const [{ default: MiniSearch }, passages] = await Promise.all([
    import(MINISEARCH),
    fetch('/guide/search.json').then((reply) => reply.json()),
  ])
  const made = new MiniSearch({
    fields: ['heading', 'title', 'text'],
    storeFields: ['heading', 'title', 'text'],
    searchOptions: {
      boost: { heading: 4, title: 3 },
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      combineWith: 'AND',
      // Decisions and generated lists hold many words, and are seldom what is looked for.
      boostDocument: (id) => (/^\/guide\/(decisions|benchmarks|sdk#|errors#|permissions#)/.test(id) ? 0.4 : 1),
    },
  })
  made.addAll(passages)
  return made
}

const element = (tag, text) => Object.assign(document.createElement(tag), { textContent: text })

/** Words around the first one that was looked for. */
function excerpt(text, query) {
  const at = text.toLowerCase().indexOf(query.toLowerCase().split(/\s+/)[0])
  return at < 40 ? text.slice(0, 110) : `…${text.slice(at - 30, at + 80)}`
}

async function search() {
  const query = field.value.trim()
  results.hidden = !query
  if (!query) {
    found.textContent = ''
    return
  }
  if (!results.hasChildNodes()) results.append(element('li', 'Loading the search…'))
  index ??= loadIndex()
  const hits = (await index).search(query).slice(0, SHOWN)
  if (field.value.trim() !== query) return
  const items = hits.map(({ id, heading, title, text }) => {
    const link = Object.assign(document.createElement('a'), { href: id })
    link.append(
      element('strong', heading === title ? title : `${title} › ${heading}`),
      element('small', excerpt(text, query)),
    )
    const item = document.createElement('li')
    item.append(link)
    return item
  })
  results.replaceChildren(...(items.length > 0 ? items : [element('li', 'Nothing found')]))
  found.textContent = ['Nothing found', '1 result'][items.length] ?? `${items.length} results`
}

/** Tells that the search is away; the next letter tries again. */
function noSearch() {
  index = undefined
  results.replaceChildren(element('li', 'The search could not be loaded'))
  found.textContent = 'The search could not be loaded'
}

field?.addEventListener('focus', () => {
  index ??= loadIndex()
  index.catch(noSearch)
})
field?.addEventListener('input', () => {
  search().catch(noSearch)
})
field?.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') results.querySelector('a')?.click()
  if (event.key === 'Escape') results.hidden = true
  if (event.key !== 'ArrowDown') return
  event.preventDefault()
  results.querySelector('a')?.focus()
})
results?.addEventListener('keydown', (event) => {
  const step = { ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling' }[event.key]
  if (event.key === 'Escape') {
    results.hidden = true
    field.focus()
  }
  if (!step) return
  event.preventDefault()
  const next = event.target.closest('li')[step]?.querySelector('a')
  if (next || event.key === 'ArrowUp') (next ?? field).focus()
})
results?.addEventListener('click', () => {
  results.hidden = true
})
document.addEventListener('click', ({ target }) => {
  if (results && !target.closest('.search')) results.hidden = true
})
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target.closest('input')) return
  event.preventDefault()
  field?.focus()
})

menu?.addEventListener('click', () => {
  const isOpen = document.body.classList.toggle('menu-open')
  menu.setAttribute('aria-expanded', String(isOpen))
})

const root = document.documentElement
const isDark = () =>
  (root.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark'

function nameTheme() {
  theme.textContent = isDark() ? 'Light' : 'Dark'
  theme.setAttribute('aria-label', isDark() ? 'Light colours' : 'Dark colours')
  theme.hidden = false
}

if (theme) nameTheme()
theme?.addEventListener('click', () => {
  root.dataset.theme = isDark() ? 'light' : 'dark'
  try {
    localStorage.setItem('docent.theme', root.dataset.theme)
  } catch {
    // A browser that keeps nothing has the choice for this page.
  }
  nameTheme()
})

for (const block of document.querySelectorAll('.code')) {
  const button = Object.assign(element('button', 'Copy'), { type: 'button' })
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code').innerText)
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 1500)
  })
  block.append(button)
}

// A link to this page in the sidebar is in sight, however long the list is.
document.querySelector('#sidebar [aria-current]')?.scrollIntoView({ block: 'nearest' })
