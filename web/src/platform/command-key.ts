export const isMac = /mac/i.test(navigator.platform)

/** Name of the modifier key for commands: `⌘` or `Ctrl`. */
export const COMMAND_KEY = isMac ? '⌘' : 'Ctrl'

/** Whether single keys have another meaning now: somebody types, or something with its own keys is open. */
export const isTaken = (event: KeyboardEvent): boolean =>
  event.defaultPrevented ||
  event.ctrlKey ||
  event.metaKey ||
  event.altKey ||
  (event.target as HTMLElement).closest('input, textarea, select, dialog, [popover], [contenteditable]') !== null
