// The dialog that opens another page, which is loaded when it is asked for.
export { JumpDialog } from './jump/jump-dialog.tsx'
