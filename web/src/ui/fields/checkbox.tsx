import type { ComponentProps } from 'react'
import { cx } from '../class-names.ts'

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  /** Accessible name, where no text is beside it. */
  'aria-label'?: string
  /** Whether only some of the items it stands for are selected. */
  isMixed?: boolean
}

export const Checkbox = ({ isMixed = false, className, ...rest }: CheckboxProps) => (
  <input
    {...rest}
    ref={(input) => {
      if (input) input.indeterminate = isMixed
    }}
    type="checkbox"
    className={cx('size-4 shrink-0 accent-accent pointer-coarse:size-5', className)}
  />
)
