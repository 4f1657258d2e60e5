// List of keyboard shortcuts, which is loaded when it is asked for.
export { KeysDialog } from './keys-dialog.tsx'
