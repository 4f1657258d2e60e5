// The parts of an agent's form that tell and change who may use it, which are loaded when they are shown.
export { UseDialog } from './grants/use-dialog.tsx'
export { UseLine } from './grants/use-line.tsx'
