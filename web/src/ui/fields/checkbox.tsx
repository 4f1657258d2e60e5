import type { ComponentProps } from 'react'
import { cx } from '../class-names.ts'

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  /** Says what it chooses, where no words stand beside it. */
  'aria-label'?: string
  /** Whether some of what it stands for is chosen, and not all. */
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
