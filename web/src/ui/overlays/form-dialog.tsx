import type { ReactNode } from 'react'
import { FormActions } from '../fields/form-actions.tsx'
import { Dialog, type DialogWidth } from './dialog.tsx'

interface FormDialogProps {
  title: string
  width?: DialogWidth
  /** State of the request; absent if there is nothing to wait for. */
  saving?: { error: Error | null; isPending: boolean }
  /** Label of the submit button. */
  save: string
  /** Whether there is nothing to save. */
  isDisabled?: boolean
  /** Called when the browser found all fields valid. */
  onSave: () => void
  onClose: () => void
  children: ReactNode
}

/** Dialog with a form. It stays open with the error if saving fails, and asks before what was typed is lost. */
export const FormDialog = ({ title, width, onSave, onClose, children, ...actions }: FormDialogProps) => (
  <Dialog title={title} width={width} isForm onClose={onClose}>
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault()
        // In React's tree a dialog may be inside the page's own form.
        event.stopPropagation()
        onSave()
      }}
    >
      {children}
      <FormActions {...actions} onCancel={onClose} />
    </form>
  </Dialog>
)
