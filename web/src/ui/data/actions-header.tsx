import { Trans } from '@lingui/react/macro'

/** Header of a column of buttons, which only screen readers need. */
export const ActionsHeader = () => (
  <span className="sr-only">
    <Trans>Actions</Trans>
  </span>
)
