import { type ComponentProps, lazy, Suspense } from 'react'

const load = async () => ({ default: (await import('./markdown.tsx')).Markdown })
const Markdown = lazy(load)

/** Fetches what Markdown needs before there is any. */
export const preloadMarkdown = (): void => void load().catch(() => {})

/** Markdown, as plain text until its renderer is there. */
export const RichText = (props: ComponentProps<typeof Markdown>) => (
  <Suspense fallback={<p className="whitespace-pre-wrap">{props.text}</p>}>
    <Markdown {...props} />
  </Suspense>
)
