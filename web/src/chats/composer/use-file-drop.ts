import { type RefObject, useEffect, useRef, useState } from 'react'

/**
 * Takes files that are dropped anywhere on the chat: the nearest element with `data-takes-files`, else the composer.
 * @returns whether files are dragged over it
 */
export function useFileDrop(composer: RefObject<HTMLElement | null>, add: (files: FileList) => void): boolean {
  const [isOver, setOver] = useState(false)
  const latest = useRef(add)
  useEffect(() => {
    latest.current = add
  })
  useEffect(() => {
    const area = composer.current!.closest<HTMLElement>('[data-takes-files]') ?? composer.current!
    const ending = new AbortController()
    const on = (type: 'dragover' | 'dragleave' | 'drop', act: (event: DragEvent) => void) =>
      area.addEventListener(
        type,
        (event) => {
          if (event.dataTransfer?.types.includes('Files')) act(event)
        },
        { signal: ending.signal },
      )
    on('dragover', (event) => {
      event.preventDefault()
      setOver(true)
    })
    on('dragleave', ({ relatedTarget }) => setOver(relatedTarget instanceof Node && area.contains(relatedTarget)))
    on('drop', (event) => {
      event.preventDefault()
      setOver(false)
      latest.current(event.dataTransfer!.files)
    })
    return () => ending.abort()
  }, [composer])
  return isOver
}
