import { describe, expect, test } from 'vitest'
import { htmlToText } from './html-text.ts'

const textOf = (html: string) => htmlToText(html, 'https://site.example/guide/page?x=1').text

test('headings, paragraphs, lists, links, images, code and quotes', () => {
  const page = htmlToText(
    `<!doctype html><title> Tea &amp;
     more </title><body><h1>Tea</h1><p>The <b>green</b> one costs <a href="../shop?a=1&amp;b=2"> 4&nbsp;euro </a>,
     <a href="#top">up</a>, <a href="javascript:x()">script</a>.<p>See <code>brew&lt;T&gt;</code><br>and <img src="x" alt="a cup">
     <ol start="3"><li>one<ul><li>deep</ul><li>two</ol><blockquote><p>Good.</blockquote>
     <pre><code>let x = 1
  y &amp;&amp; z</code></pre><dl><dt>Term<dd>Meaning</dl><hr>End`,
    'https://site.example/guide/page',
  )
  expect(page.title).toBe('Tea & more')
  expect(page.text).toBe(
    `# Tea

The green one costs [4 euro](https://site.example/shop?a=1&b=2), up, script.

See \`brew<T>\`
and [image: a cup]

3. one
  - deep
4. two

> Good.

\`\`\`
let x = 1
  y && z
\`\`\`

Term
Meaning

---
End`,
  )
})

test('a table is read row by row, and the cells of a layout one after the other', () => {
  expect(
    textOf('<table><thead><tr><th>Kind<th>Price<tbody><tr><td>Green<td><p>4</p><p>euro</p><tr><td>Black<td>3</table>'),
  ).toBe('Kind | Price\n--- | ---\nGreen | 4 euro\nBlack | 3')
  expect(textOf('<table><tr><td><table><tr><td>a<td>b</table><td><p>side</table>after')).toContain('a | b')
})

test('menus, scripts and what nobody sees are left out', () => {
  const text = textOf(`<head><style>p{}</style><script>var a = "<p>script</p>"</script></head><body>
    <nav>menu <nav>inner</nav> more menu</nav><div role="navigation">other menu</div><header><h2>Site</h2></header>
    <p>Seen.</p><p hidden>secret 1</p><div style="color:red; display : none">secret 2 <div>secret 3</div></div>
    <span aria-hidden="true">secret 4</span><template>secret 5</template><noscript>secret 6</noscript><svg><text>secret 7</text></svg>
    <p style="font-size:0">secret 8</p><!-- secret 9 --><form><button>press</button><select><option>choose</select></form>
    <aside>related</aside><footer>imprint</footer>`)
  expect(text).toBe('## Site\n\nSeen.')
})

test('the main part alone, where the page says which it is', () => {
  const around = '<div>A banner that says a lot about cookies</div>'
  expect(textOf(`${around}<main><p>What counts is here, and it is long enough.</p></main>${around}`)).toBe(
    'What counts is here, and it is long enough.',
  )
  // A main part with nothing in it is filled by scripts: what else there is may help.
  expect(textOf(`${around.repeat(20)}<main></main>`)).toContain('A banner')
  expect(textOf('<article>first story</article><article>second story</article>')).toBe('first story\n\nsecond story')
})

test('links are relative to where the page says', () => {
  expect(textOf('<base href="https://cdn.example/x/"><a href="y">go</a> <a href="//z.example">z</a>')).toBe(
    '[go](https://cdn.example/x/y) [z](https://z.example/)',
  )
})

describe('broken pages are read as far as it goes', () => {
  test.each([
    ['<p>a<b>b</p>c</b><div>d', 'ab\n\nc\nd'],
    ['</div></p>text', 'text'],
    ['<ul><li>a<li>b', '- a\n- b'],
    ['<a href="https://x.example">no end', '[no end](https://x.example/)'],
    ['<pre>no end', '```\nno end\n```'],
    ['plain', 'plain'],
    ['', ''],
  ])('%j', (html, text) => expect(textOf(html)).toBe(text))
})
