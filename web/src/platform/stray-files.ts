import { createStore, useStore } from './state/store.ts'

/** Files and folders of a drop, which outlive its event. */
export interface TakenFiles {
  entries: FileSystemEntry[]
  files: File[]
}

type Take = (taken: TakenFiles) => void

let take: Take | null = null
const isOver = createStore(false)

/** Whether files are dragged over a place that does not take them itself, nor says why not. */
export const useStrayFiles = (): boolean => useStore(isOver)

/** Takes what is dropped where nothing else takes it, until the returned function is called; null refuses it. */
export function takeStrayFiles(by: Take | null): () => void {
  take = by
  return () => {
    take = null
  }
}

/** Content of a drop; to be called during its event, after which the lists are empty. */
export const filesOf = ({ items, files }: DataTransfer): TakenFiles => ({
  entries: [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null),
  files: [...files],
})

/** Keeps files that are dropped where nothing takes them from opening in place of the page. */
export function refuseStrayFiles(): void {
  for (const type of ['dragover', 'drop'] as const) addEventListener(type, onStray)
  // Without a related element the pointer has left the window, or the drag was broken off.
  addEventListener('dragleave', ({ relatedTarget }) => relatedTarget === null && isOver.set(false))
}

function onStray(event: DragEvent): void {
  const { target, dataTransfer } = event
  const element = target instanceof Element ? target : null
  if (!dataTransfer?.types.includes('Files')) return
  const isElsewhere = event.defaultPrevented || element?.closest('input[type=file]')
  // A dialog is about something else, and a folder that is read-only must not seem to have taken them.
  const isRefused = element?.closest('[data-refuses-files]') || document.querySelector('dialog[open]')
  isOver.set(event.type === 'dragover' && !isElsewhere && !isRefused)
  if (isElsewhere) return
  event.preventDefault()
  const isTaken = take && !isRefused
  dataTransfer.dropEffect = isTaken ? 'copy' : 'none'
  if (isTaken && event.type === 'drop') take?.(filesOf(dataTransfer))
}
