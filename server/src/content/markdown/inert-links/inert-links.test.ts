import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../../../tests/support/seeded-random.ts'
import { parseHostPatterns } from '../../../platform/outbound/host-patterns.ts'
import { InertLinks } from './inert-links.ts'
import { namedHosts } from './named-hosts.ts'

const isNamed = namedHosts({
  texts: () => ['What does https://good.example/start say?'],
  patterns: parseHostPatterns('*.wild.example'),
})

function through(pieces: string[]): string {
  const links = new InertLinks(isNamed)
  return pieces.map((piece) => links.push(piece)).join('') + links.flush()
}
const inert = (text: string) => through([text])

test.each([
  ['[report](https://evil.example/?q=secret "t").', '[report] (`hxxps://evil[.]example/?q=secret` "t").'],
  ['![chart](https://evil.example/p.png)', '![chart] (`hxxps://evil[.]example/p.png`)'],
  ['[![a](//evil.example/p)](http://evil.example)', '[![a] (`//evil[.]example/p`)] (`hxxp://evil[.]example`)'],
  ['[a](<https://evil.example/a b>)', '[a] (`hxxps://evil[.]example/a b`)'],
  ['[a](\nhttps://evil.example)', '[a] (`hxxps://evil[.]example`)'],
  ['<https://evil.example/x>', '`hxxps://evil[.]example/x`'],
  ['See https://evil.example/a(b), and', 'See `hxxps://evil[.]example/a(b),` and'],
  ['HTTPS://EVIL.example', '`hxxpS://EVIL[.]example`'],
  ['www.evil.example/x', '`www[.]evil[.]example/x`'],
  ['at //evil.example/x', 'at `//evil[.]example/x`'],
  ['ftp://evil.example/x', 'ftp:`//evil[.]example/x`'],
  ['[x]: https://evil.example "T"', '[x] : `hxxps://evil[.]example` "T"'],
  ['[x]:\n  <//evil.example>', '[x] : `//evil[.]example`'],
  ['<a href="https://evil.example">x</a>', '<\u200ba href="`hxxps://evil[.]example`">x<\u200b/a>'],
  ["<img src='//evil.example/p'>", "<\u200bimg src='`//evil[.]example/p'`>"],
  ['<script>', '<\u200bscript>'],
  ['<br>', '<\u200bbr>'],
  ['https://good.example@evil.example/', '`hxxps://good[.]example@evil[.]example/`'],
  ['https://good.example\\@evil.example/', '`hxxps://good[.]example\\@evil.example/`'],
  ['https://good.example.evil.example', '`hxxps://good[.]example[.]evil[.]example`'],
  ['https://good.example%2eevil.example', '`hxxps://good[.]example%2eevil[.]example`'],
  ['https://good.example。evil.example', '`hxxps://good[.]example。evil[.]example`'],
  ['https://good.example">x@evil.example', '`hxxps://good[.]example`">x@evil.example'],
  ['https://)@evil.example', '`hxxps://`)@evil.example'],
  ['https:///evil.example', '`hxxps:///evil[.]example`'],
  ['[a](https:evil.example)', '[a] (`hxxps:evil[.]example`)'],
  ['[a](/\\evil.example)', '[a] (`/\\evil[.]example`)'],
  ['[a](\\/\\/evil.example)', '[a] (`\\/\\/evil[.]example`)'],
  ['[a](&#104;ttps://evil.example)', '[a] (`&#104;ttps:/%2Fevil.example`)'],
  ['[a](https&colon;//evil.example)', '[a] (`https&colon;/%2Fevil.example`)'],
  ['[a](/&Tab;/evil.example)', '[a] (`/&Tab;/evil.example`)'],
  ['&#104;ttps://evil.example', '`hxxps://evil[.]example`'],
  ['[a](javascript:alert(1))', '[a] (`javascript[:]alert(1)`)'],
  ['[a](data:text/html;base64,PHg+)', '[a] (`data[:]text/html;base64,PHg+`)'],
  ['at xmpp:a@evil.example/secret', 'at xmpp[:]a@evil.example/secret'],
  ['XMPP&colon;a@evil.example/secret', 'XMPP[:]a@evil.example/secret'],
  ['<xmpp:a@evil.example/secret>', '`xmpp[:]a@evil.example/secret`'],
  ['[a](xmpp:a@evil.example/secret)', '[a] (`xmpp[:]a@evil.example/secret`)'],
  ['[a](mailto:a@b.example?body=secret)', '[a] (`mailto[:]a@b.example?body=secret`)'],
])('%j is made inert', (text, expected) => {
  expect(inert(text)).toBe(expected)
  expect(through([...text])).toBe(expected)
})

test.each([
  'See [start](https://good.example/start "Start") and ![](https://www.good.example/p.png).',
  '<https://good.example/> https://good.example, (https://good.example:8080/a?b=c#d) **https://good.example**',
  '[https://good.example/a](https://good.example/a) and www.good.example',
  '[x]: https://good.example/a',
  '[wild](https://a.wild.example/x)',
  '[docs](docs/read\\_me.md#part) [up](../x) [root](/x/y) [here](#here) [mail](mailto:a@good.example) <a@evil.example>',
  'Write to a@evil.example; at 10:30, a/b, C:\\x, 1//2, x < y && y > z, e.g. Node.js, "a": [1], [2]: text [3](see below)',
  'x<sub>2</sub> and a<br>b',
  'By xmpp: it is called XMPP:',
  'Use `https://evil.example` or ``curl `x` https://evil.example``.',
  'Run:\n\n```sh\ncurl https://evil.example <div>\n```\n\nDone.',
  '1. Run:\n   ```\n   curl https://evil.example\n   ```\n2. Then:\n   - this\n     ~~~\n     wget http://evil.example\n     ~~~\n',
  '> ```\n> https://evil.example\n> ```\n',
  '| a | b |\n|---|---|\n| `x` | https://good.example |',
  '&lt; &amp; &nbsp; &#124; &copy;',
])('%j stays as it is', (text) => {
  expect(inert(text)).toBe(text)
  expect(through([...text])).toBe(text)
})

test.each([
  ['```\n![a](https://evil.example/p.png?q=secret)', '```\n![a](https://evil.example/p.png?q=secret)\n```'],
  ['```', '```\n```'],
  ['~~~~sh\ncurl x\n~~~', '~~~~sh\ncurl x\n~~~\n~~~~'],
  ['> ```\n> https://evil.example', '> ```\n> https://evil.example\n> ```'],
  ['- a\n  - ```\n    https://evil.example\n', '- a\n  - ```\n    https://evil.example\n    ```'],
  ['```\nx\n```', '```\nx\n```'],
  ['```\nx\n````  ', '```\nx\n````  '],
])('%j: a block of code that is left open is closed', (text, expected) => {
  expect(inert(text)).toBe(expected)
  expect(through([...text])).toBe(expected)
  expect(liveIn(expected)).toEqual([])
})

describe('what is code for some renderers only is not taken for code', () => {
  test.each([
    '`a\n\nhttps://evil.example `b`',
    '`a https://x.example\nb` https://evil.example `c`',
    '| `a | https://evil.example | b` |',
    "[`x]: https://evil.example '`'\n\n![`x]",
    '> ```\nhttps://evil.example\n',
    '- ```\nhttps://evil.example\n',
    '   ```\nhttps://evil.example\n',
    'text\n2. foo\n      ```\n      https://evil.example\n',
    '<div>\n`<img src="https://evil.example">`\n</div>',
    '[a](x`y) `https://evil.example` z',
    '[a](/x "t`") https://evil.example `q`',
    '\\`a` https://evil.example `b`',
    '```\n```\nhttps://evil.example\n```\n```',
  ])('%j', (text) => expect(liveIn(inert(text))).toEqual([]))
})

/** Links that the most used Markdown parser finds in a text: every address that leads somewhere else, and all HTML. */
function liveIn(markdown: string): string[] {
  const tree = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
  const live: string[] = []
  const visit = (node: { type: string; url?: string; value?: string; children?: unknown[] }) => {
    if (node.url !== undefined && leadsAway(node.url)) live.push(node.url)
    if (node.type === 'html' && !/^<\/?(?:br|b|sub)>$/.test(node.value!)) live.push(node.value!)
    for (const child of node.children ?? []) visit(child as typeof node)
  }
  visit(tree)
  return live
}

function leadsAway(url: string): boolean {
  return ['https://own.invalid/', 'http://own.invalid/'].some((base) => {
    const { protocol, hostname } = URL.parse(url, base) ?? {}
    if (!protocol || ['mailto:', 'tel:', 'hxxp:', 'hxxps:'].includes(protocol)) return false
    return !/^https?:$/.test(protocol) || !(hostname === 'own.invalid' || isNamed(hostname!))
  })
}

const FRAGMENTS = [
  'https://evil.example/x?q=1', 'https://good.example/a', 'www.evil.example', '//evil.example/y', 'https://good.example@evil.example/',
  'https://good.example\\@evil.example', 'https:', '://', '/', 'javascript:alert(1)', 'mailto:a@b.example', 'a.wild.example',
  '[a](', '![a](', '](<', '](', '>)', ')', '(', '[', ']', '!', '[x]: ', '\n[x]: ', '[x]', '![x]', '[`x]: ', "'`'", '"t"', '[1]',
  ' ', '    ', '\t', '\n', '\n\n', '\r\n', '`', '``', '```', '\n```\n', '\n```js\n', '~~~', '\n   ```\n', '\n    ```\n', '- ```\n',
  '> ```\n', '> ', '\n> ', '- ', '\n- ', '1. ', '\n2. ', '|', '| a | b |\n|---|---|\n', '\n---\n', '# ', '*', '_',
  '<', '>', '<a href="', '<img src=', '<br>', '<div>', '\n<div>\n', '<!-- ', '-->', '<https://evil.example>', '<https://good.example/>',
  '\\', '\\`', '&#104;', '&colon;', '&sol;', '&bsol;', '&Tab;', '&amp;', 'word', 'x', 'é', '.', '`https://evil.example`',
] // biome-ignore format: a list of short pieces

test('whatever is put together, no link that is not named is left, and how it was cut makes no difference', () => {
  const random = seededRandom(20_261_122)
  const pick = (most: number) => Math.floor(random() * most)
  let alive = 0
  for (let round = 0; round < 1200; round++) {
    const text = Array.from({ length: 2 + pick(12) }, () => FRAGMENTS[pick(FRAGMENTS.length)]).join('')
    const whole = inert(text)
    if (liveIn(text).length > 0) alive++
    expect(liveIn(whole), JSON.stringify(text)).toEqual([])
    const pieces: string[] = []
    for (let at = 0; at < text.length; at += pieces.at(-1)!.length) pieces.push(text.slice(at, at + 1 + pick(6)))
    expect(through(pieces), JSON.stringify(pieces)).toBe(whole)
  }
  // The texts are dangerous ones.
  expect(alive).toBeGreaterThan(300)
})

test('plain text is not held back', () => {
  const links = new InertLinks(isNamed)
  for (const token of [
    'The',
    ' answer',
    ' is',
    ' 42',
    '.',
    ' See',
    ' [1]',
    '.',
    ' Why',
    '?',
    '\n\n',
    '- ',
    '**so**',
    ' (a)',
  ])
    expect(links.push(token)).toBe(token)
})

test('a long URL flows while it comes', () => {
  const links = new InertLinks(isNamed)
  expect(links.push('![x](data:image/png;base64,')).toBe('![x] (`data[:]image/png;base64,')
  expect(links.push('A'.repeat(100_000))).toBe('A'.repeat(100_000))
  expect(links.push(') ok')).toBe('`) ok')
})

test('what is held back comes at the end of a turn, and code ends there', () => {
  const links = new InertLinks(isNamed)
  expect(links.push('```\ncode htt')).toBe('```\ncode htt')
  expect(links.push('ps://evil.example\n')).toBe('ps://evil.example\n')
  expect(links.flush()).toBe('```')
  expect(links.push('\n\nhttps://evil.example\nhttp')).toBe('\n\n`hxxps://evil[.]example`\n')
  expect(links.flush()).toBe('http')
  expect(links.push('\n\nhttps://evil.example ')).toBe('\n\n`hxxps://evil[.]example` ')
})

describe('hosts are named', () => {
  const named = (...texts: string[]) => namedHosts({ texts: () => texts, patterns: parseHostPatterns('') })
  test.each([
    ['Read https://Docs.Example/a?b', 'docs.example', true],
    ['Read docs.example.', 'www.docs.example', true],
    ['Read www.docs.example', 'docs.example', true],
    ['Read docs.example', 'sub.docs.example', false],
    ['Read docs.example', 'ocs.example', false],
    ['Ask at http://localhost:3000/x', 'localhost', true],
    ['Ask at 10.0.0.7', '10.0.0.7', true],
    ['https://bücher.example/', 'xn--bcher-kva.example', true],
    ['https://xn--bcher-kva.example/', 'BÜCHER.example', true],
    ['https://a.example@b.example/', 'b.example', true],
    ['nothing', 'example.com', false],
  ])('%j names %s: %j', (text, host, expected) => expect(named(text)(host)).toBe(expected))

  test.each([
    ['docs.example, *.wild.example', ['docs.example', 'a.b.wild.example'], ['wild.example', 'x.docs.example']],
    ['*', ['anything.example'], []],
  ])('by the patterns %j', (text, yes, no) => {
    const isMeant = parseHostPatterns(text)
    for (const host of yes) expect(isMeant(host)).toBe(true)
    for (const host of no) expect(isMeant(host)).toBe(false)
  })

  test.each(['https://a.example', 'a b', '*.', 'a.*.example', 'a/b'])('the pattern %j is refused', (text) =>
    expect(() => parseHostPatterns(text)).toThrow('must be a list of hosts'),
  )
})
