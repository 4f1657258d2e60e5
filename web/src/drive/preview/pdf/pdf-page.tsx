import { Trans } from '@lingui/react/macro'
import { type PDFDocumentProxy, TextLayer } from 'pdfjs-dist'
import type { TextContent } from 'pdfjs-dist/types/src/display/api.js'
import { useEffect, useRef, useState } from 'react'

interface PdfPageProps {
  document: PDFDocumentProxy
  number: number
  scale: number
  /** Called when the text layer is ready, so that a passage can be marked in it. */
  onText?: (text: HTMLElement) => void
}

/** Page of a PDF: an image, and an invisible text layer above it to select and mark. */
export function PdfPage({ document: pdf, number, scale, onText }: PdfPageProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const text = useRef<HTMLDivElement>(null)
  const [problem, setProblem] = useState<string>()
  const tell = useRef(onText)
  tell.current = onText

  useEffect(() => {
    const leaving = new AbortController()
    async function draw() {
      const page = await pdf.getPage(number)
      if (leaving.signal.aborted) return
      const viewport = page.getViewport({ scale })
      const dense = Math.min(devicePixelRatio || 1, 2)
      const target = canvas.current!
      target.width = Math.floor(viewport.width * dense)
      target.height = Math.floor(viewport.height * dense)
      const task = page.render({
        canvas: target,
        viewport,
        transform: dense === 1 ? undefined : [dense, 0, 0, dense, 0, 0],
      })
      leaving.signal.addEventListener('abort', () => task.cancel())
      // It may be cancelled before anybody awaits it.
      task.promise.catch(() => {})
      const container = text.current!
      container.replaceChildren()
      container.style.setProperty('--total-scale-factor', String(scale))
      const content = await page.getTextContent()
      if (leaving.signal.aborted) return
      const layer = new TextLayer({ textContentSource: content, container, viewport })
      leaving.signal.addEventListener('abort', () => layer.cancel())
      await Promise.all([task.promise, layer.render()])
      if (leaving.signal.aborted) return
      fit(layer.textDivs, content.items, scale)
      tell.current?.(container)
    }
    draw().catch((error: Error) => {
      if (!leaving.signal.aborted && error.name !== 'RenderingCancelledException') setProblem(error.message)
    })
    return () => leaving.abort()
  }, [pdf, number, scale])

  return (
    <>
      <canvas ref={canvas} className="size-full" aria-hidden />
      <div ref={text} className="pdf-text" />
      {problem && (
        <p className="absolute inset-x-0 top-8 text-center text-sm text-bad">
          <Trans>This page cannot be drawn: {problem}</Trans>
        </p>
      )}
    </>
  )
}

/**
 * Scales the words of the text layer to their printed width: small letters measure differently on the page than where
 * PDF.js measured them.
 */
function fit(words: HTMLElement[], items: TextContent['items'], scale: number): void {
  const texts = items.filter((item) => 'str' in item)
  const widths = words.map((word) => word.getBoundingClientRect().width)
  for (const [index, word] of words.entries()) {
    const item = texts[index]
    const width = widths[index]!
    if (!item || width < 1 || item.transform[1] !== 0) continue
    const now = Number(word.style.getPropertyValue('--scale-x') || 1)
    word.style.setProperty('--scale-x', String((now * item.width * scale) / width))
  }
}
