import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Root } from 'hast'
import ReactMarkdown, { type Components, type Options } from 'react-markdown'
import { Image } from '../icons.ts'
import { mayHoldGfm, useGfm } from './gfm.ts'

interface SafeMarkdownProps {
  text: string
  plugins?: NonNullable<Options['remarkPlugins']>
  components?: Components
}

/**
 * Gives each block the direction of its own text: Arabic and Hebrew from right to left. Only the outermost ones: what
 * has a direction of its own does not count for that of a list or table around it.
 */
const ownDirection = () => (tree: Root) => {
  for (const block of tree.children) if (block.type === 'element') block.properties.dir = 'auto'
}

/**
 * Untrusted Markdown: no raw HTML, no images, and links only to the web, opened in a tab of their own. Each block runs
 * in the direction of its text.
 */
export function SafeMarkdown({ text, plugins = [], components = {} }: SafeMarkdownProps) {
  const gfm = useGfm(mayHoldGfm(text))
  return (
    <ReactMarkdown
      remarkPlugins={[...(gfm?.plugins ?? []), ...plugins]}
      rehypePlugins={[ownDirection]}
      components={{ ...COMPONENTS, ...components }}
      urlTransform={webUrl}
    >
      {text}
    </ReactMarkdown>
  )
}

/** Keeps only http and https links. */
const webUrl = (url: string) => (/^https?:\/\//i.test(url) ? url : undefined)

interface RefusedPictureProps {
  url?: string
  alt?: string
  /** Address that the server made inert: nobody who may name hosts named this one. */
  address?: string
}

/**
 * Placeholder with the text of a picture and the reason why it is not shown. One of another host would reveal the reader
 * to that host, so it opens on a click; one whose address only the model named does not open at all.
 */
const RefusedPicture = ({ url, alt, address }: RefusedPictureProps) => {
  const host = url && URL.parse(url)?.host
  const words = (
    <>
      <Image size={14} className="shrink-0" aria-hidden />
      {alt || t`Picture`}
      {host && (
        <span className="text-muted">
          <Trans>at {host}, not shown</Trans>
        </span>
      )}
      {address && (
        <span className="text-muted">
          <Trans>not shown: its address is in no source and no question</Trans>
        </span>
      )}
    </>
  )
  const className = 'inline-flex max-w-full flex-wrap items-center gap-1.5 rounded-control bg-canvas px-2 align-middle'
  return host ? (
    <a href={url} target="_blank" rel="noopener noreferrer nofollow" className={className}>
      {words}
    </a>
  ) : (
    <span className={className} title={address}>
      {words}
    </span>
  )
}

const COMPONENTS: Components = {
  a: ({ href, children }) =>
    href ? (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
    ) : (
      <span>{children}</span>
    ),
  img: ({ src, alt, node }) => (
    <RefusedPicture
      url={typeof src === 'string' ? src : undefined}
      alt={alt}
      address={node?.properties.dataRefused as string | undefined}
    />
  ),
  table: ({ children, dir }) => (
    <div className="table-frame">
      <table dir={dir}>{children}</table>
    </div>
  ),
  input: ({ checked }) => (
    <input
      type="checkbox"
      aria-label={checked ? t`Done` : t`To do`}
      checked={checked}
      disabled
      className="me-2 align-[-0.1em]"
    />
  ),
}
