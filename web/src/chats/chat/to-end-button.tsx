import { Trans } from '@lingui/react/macro'
import { Button } from '../../ui/controls/button.tsx'
import { ArrowDown } from '../../ui/icons.ts'

/** Floats above the bottom of a scrolled area; on phones at its side, where it covers no button of a form. */
export const ToEndButton = ({ onClick }: { onClick: () => void }) => (
  <div className="relative">
    <Button
      icon={ArrowDown}
      onClick={onClick}
      className="absolute end-1 bottom-3 shadow-raised sm:end-auto sm:left-1/2 sm:-translate-x-1/2"
    >
      <span className="max-sm:sr-only">
        <Trans>To the end</Trans>
      </span>
    </Button>
  </div>
)
