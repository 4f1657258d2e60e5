import { type ComponentProps, useEffect } from 'react'
import { createStore, useStore } from '../../platform/store.ts'

type Renderer = Pick<typeof import('./markdown.tsx'), 'Markdown'>

// Not React's lazy: it would show plain text for a moment even where the renderer came long before.
const renderer = createStore<Renderer | null>(null)
let isAsked = false

/** Fetches what Markdown needs before there is any. Without a line it is tried again with the next text. */
export function preloadMarkdown(): void {
  if (isAsked) return
  isAsked = true
  import('./markdown.tsx').then(
    ({ Markdown }) => renderer.set({ Markdown }),
    () => {
      isAsked = false
    },
  )
}

/** Markdown, as plain text until its renderer is there. */
export function RichText(props: ComponentProps<Renderer['Markdown']>) {
  const loaded = useStore(renderer)
  useEffect(preloadMarkdown, [])
  return loaded ? <loaded.Markdown {...props} /> : <p className="whitespace-pre-wrap">{props.text}</p>
}
