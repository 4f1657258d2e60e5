/** Keeps files that are dropped where nothing takes them from opening in place of the page. */
export function refuseStrayFiles(): void {
  for (const type of ['dragover', 'drop'] as const) addEventListener(type, refuse)
}

function refuse(event: DragEvent): void {
  const isField = event.target instanceof Element && event.target.closest('input[type=file]')
  if (event.defaultPrevented || isField || !event.dataTransfer?.types.includes('Files')) return
  event.preventDefault()
  event.dataTransfer.dropEffect = 'none'
}
