import ReactMarkdown, { type Components, type Options } from 'react-markdown'
import remarkGfm from 'remark-gfm'

interface SafeMarkdownProps {
  text: string
  plugins?: NonNullable<Options['remarkPlugins']>
  components?: Components
}

/** Markdown of anybody: no raw HTML, no images, and links only to the web, opened apart from this page. */
export const SafeMarkdown = ({ text, plugins = [], components = {} }: SafeMarkdownProps) => (
  <ReactMarkdown
    remarkPlugins={[remarkGfm, ...plugins]}
    components={{ ...COMPONENTS, ...components }}
    urlTransform={webUrl}
  >
    {text}
  </ReactMarkdown>
)

/** Anything but http and https leads nowhere. */
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
  // An image of the writer's choice would tell its host who reads this.
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
