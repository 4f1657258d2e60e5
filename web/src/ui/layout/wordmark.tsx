import { Trans } from '@lingui/react/macro'
import { cx } from '../class-names.ts'

/** Product name with a stroke of a highlighter, since a marked passage is the sign of this product. */
export const Wordmark = ({ className }: { className?: string }) => (
  <span className={cx('font-display leading-none tracking-tight', className)}>
    <span className="highlighted -mx-0.5 px-0.5">
      <Trans>Docent</Trans>
    </span>
  </span>
)
