import { cx } from '../class-names.ts'

/** The name, with the stroke of a highlighter: the sign of this product is a marked passage. */
export const Wordmark = ({ className }: { className?: string }) => (
  <span className={cx('font-display leading-none tracking-tight', className)}>
    <span className="highlighted -mx-0.5 px-0.5">Docent</span>
  </span>
)
