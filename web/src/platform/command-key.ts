export const isMac = /mac/i.test(navigator.platform)

/** The key that goes with letters for commands, as people know it. */
export const COMMAND_KEY = isMac ? '⌘' : 'Ctrl'

/** Whether somebody writes, or something is open that has keys of its own: single keys mean nothing then. */
export const isTaken = (event: KeyboardEvent): boolean =>
  event.defaultPrevented ||
  event.ctrlKey ||
  event.metaKey ||
  event.altKey ||
  (event.target as HTMLElement).closest('input, textarea, select, dialog, [popover], [contenteditable]') !== null
