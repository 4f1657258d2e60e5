import { explain } from '../../platform/errors.ts'
import { Button } from '../controls/button.tsx'
import { Notice } from '../notices/notice.tsx'

interface FormActionsProps {
  /** Absent where nothing has to be waited for. */
  saving?: { error: Error | null; isPending: boolean }
  /** What the button that saves says. */
  save: string
  /** While there is nothing to save. */
  isDisabled?: boolean
  onCancel: () => void
}

/** The end of a form in a dialog: why it could not be saved, and the way out and through. */
export const FormActions = ({ saving, save, isDisabled, onCancel }: FormActionsProps) => (
  <>
    {saving?.error && <Notice>{explain(saving.error)}</Notice>}
    <div className="flex justify-end gap-2 pt-1">
      <Button onClick={onCancel}>Cancel</Button>
      <Button variant="primary" type="submit" isBusy={saving?.isPending} disabled={isDisabled}>
        {save}
      </Button>
    </div>
  </>
)
