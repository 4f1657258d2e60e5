import ReactMarkdown, { type Components, type Options } from 'react-markdown'
import remarkGfm from 'remark-gfm'

interface SafeMarkdownProps {
  text: string
  plugins?: NonNullable<Options['remarkPlugins']>
  components?: Components
}

/** Untrusted Markdown: no raw HTML, no images, and links only to the web, opened in a tab of their own. */
export const SafeMarkdown = ({ text, plugins = [], components = {} }: SafeMarkdownProps) => (
  <ReactMarkdown
    remarkPlugins={[remarkGfm, ...plugins]}
    components={{ ...COMPONENTS, ...components }}
    urlTransform={webUrl}
  >
    {text}
  </ReactMarkdown>
)

/** Only http and https links are kept. */
const webUrl = (url: string) => (/^https?:\/\//i.test(url) ? url : undefined)

const COMPONENTS: Components = {
  a: ({ href, children }) =>
    href ? (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
    ) : (
      <span>{children}</span>
    ),
  // A remote image would reveal the reader to its host.
  img: ({ alt }) => <span className="text-muted">[image{alt ? `: ${alt}` : ''}]</span>,
  table: ({ children }) => (
    <div className="table-frame">
      <table>{children}</table>
    </div>
  ),
  input: ({ checked }) => (
    <input
      type="checkbox"
      aria-label={checked ? 'Done' : 'To do'}
      checked={checked}
      disabled
      className="mr-2 align-[-0.1em]"
    />
  ),
}
