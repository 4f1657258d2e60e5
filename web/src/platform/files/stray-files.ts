import { createStore, useStore } from '../state/store.ts'

/** Files and folders of a drop, which outlive its event. */
export interface TakenFiles {
  entries: FileSystemEntry[]
  files: File[]
}

type Take = (taken: TakenFiles) => void

let take: Take | null = null
/** Open page that takes stray files, with a sentence about what it does with them. */
const page = createStore<{ take: Take; note: string } | null>(null)
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

/**
 * Takes what is dropped where nothing else takes it for the open page, before `takeStrayFiles`, until the returned
 * function is called.
 * @param note what the page does with them
 */
export function takeForPage(by: Take, note: string): () => void {
  page.set({ take: by, note })
  return () => page.set(null)
}

/** Words of the page that takes stray files; null where they go to the drive. */
export const usePageNote = (): string | null => useStore(page)?.note ?? null

/** Contents of drops that came before the page was drawn, which are repeated. */
const early = new WeakMap<DataTransfer, TakenFiles>()

/** Content of a drop; to be called during its event, after which the lists are empty. */
export const filesOf = (data: DataTransfer): TakenFiles =>
  early.get(data) ?? {
    entries: [...data.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null),
    files: [...data.files],
  }

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
  if (!isDrawn()) {
    event.preventDefault()
    dataTransfer.dropEffect = 'copy'
    if (event.type === 'drop') repeatWhenDrawn(event, filesOf(dataTransfer))
    return
  }
  // A dialog is about something else, and a folder that is read-only must not seem to have taken them.
  const isRefused = element?.closest('[data-refuses-files]') || document.querySelector('dialog[open]')
  isOver.set(event.type === 'dragover' && !isElsewhere && !isRefused)
  if (isElsewhere) return
  event.preventDefault()
  const taker = isRefused ? null : (page.get()?.take ?? take)
  dataTransfer.dropEffect = taker ? 'copy' : 'none'
  if (event.type === 'drop') taker?.(filesOf(dataTransfer))
}

/** Whether there is a page: within the frame of all pages, or one that has no such frame. */
const isDrawn = (): boolean => document.querySelector('#page > *, main:not(#page)') !== null

/** Drops the files again where they were dropped, once there is a page that may take them. */
function repeatWhenDrawn({ clientX, clientY }: DragEvent, taken: TakenFiles): void {
  const dataTransfer = new DataTransfer()
  for (const file of taken.files) dataTransfer.items.add(file)
  early.set(dataTransfer, taken)
  const observer = new MutationObserver(() => {
    if (!isDrawn()) return
    observer.disconnect()
    // The page listens once its effects have run.
    setTimeout(() => {
      const target = document.elementFromPoint(clientX, clientY) ?? document.body
      target.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, clientX, clientY, dataTransfer }))
    }, 100)
  })
  observer.observe(document.body, { childList: true, subtree: true })
}
