import { Trans } from '@lingui/react/macro'
import { explain } from '../../platform/errors.ts'
import { Button } from '../controls/button.tsx'
import { Notice } from '../notices/notice.tsx'

interface FormActionsProps {
  /** Absent if there is nothing to wait for. */
  saving?: { error: Error | null; isPending: boolean }
  /** Label of the submit button. */
  save: string
  /** Whether there is nothing to save. */
  isDisabled?: boolean
  onCancel: () => void
}

/** End of a form in a dialog: the error, and the buttons to cancel and save. */
export const FormActions = ({ saving, save, isDisabled, onCancel }: FormActionsProps) => (
  <>
    {saving?.error && <Notice>{explain(saving.error)}</Notice>}
    <div className="flex justify-end gap-2 pt-1">
      <Button onClick={onCancel}>
        <Trans>Cancel</Trans>
      </Button>
      <Button variant="primary" type="submit" isBusy={saving?.isPending} disabled={isDisabled}>
        {save}
      </Button>
    </div>
  </>
)
