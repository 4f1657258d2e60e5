/** Files and folders of a drop, which outlive its event. */
export interface TakenFiles {
  entries: FileSystemEntry[]
  files: File[]
}

type Take = (taken: TakenFiles) => void

let take: Take | null = null

/** Takes what is dropped where nothing else takes it, until the returned function is called. */
export function takeStrayFiles(by: Take): () => void {
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
}

function onStray(event: DragEvent): void {
  const { target, dataTransfer } = event
  const element = target instanceof Element ? target : null
  if (event.defaultPrevented || element?.closest('input[type=file]') || !dataTransfer?.types.includes('Files')) return
  event.preventDefault()
  // A dialog is about something else, and a folder that is read-only must not seem to have taken them.
  const isTaken = take && !element?.closest('[data-refuses-files]') && !document.querySelector('dialog[open]')
  dataTransfer.dropEffect = isTaken ? 'copy' : 'none'
  if (isTaken && event.type === 'drop') take?.(filesOf(dataTransfer))
}
