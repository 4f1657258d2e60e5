import { type ComponentProps, useEffect } from 'react'
import { createStore, useStore } from '../../platform/state/store.ts'
import { mayHoldGfm, preloadGfm } from '../../ui/markdown/gfm.ts'
import { unawaited } from '../../ui/unawaited.ts'

type Renderer = Pick<typeof import('./markdown.tsx'), 'Markdown'>

// Not React's lazy: it would show plain text for a moment even when the renderer is loaded already.
const renderer = createStore<Renderer | null>(null)
let isAsked = false

/** Loads the Markdown renderer ahead of time. After a failure the next text tries again. */
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

/** Markdown, shown as plain text until its renderer is loaded. */
export function RichText(props: ComponentProps<Renderer['Markdown']>) {
  const loaded = useStore(renderer)
  useEffect(preloadMarkdown, [])
  const needsGfm = mayHoldGfm(props.text)
  useEffect(() => {
    if (needsGfm) unawaited(preloadGfm())
  }, [needsGfm])
  return loaded ? <loaded.Markdown {...props} /> : <p className="whitespace-pre-wrap">{props.text}</p>
}
