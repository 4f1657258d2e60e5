import { type ReactNode, useEffect, useRef } from 'react'
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

/**
 * Dialog with a form. It stays open with the error if saving fails, at the field that shows it, and asks before what was
 * typed is lost.
 */
export function FormDialog({ title, width, onSave, onClose, children, ...actions }: FormDialogProps) {
  const form = useRef<HTMLFormElement>(null)
  const isPending = actions.saving?.isPending ?? false
  const wasPending = useRef(false)
  // The field may be far above the button that was pressed.
  useEffect(() => {
    if (wasPending.current && !isPending) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
    wasPending.current = isPending
  }, [isPending])
  return (
    <Dialog title={title} width={width} isForm onClose={onClose}>
      <form
        ref={form}
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
}
