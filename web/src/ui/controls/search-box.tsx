import type { ComponentProps } from 'react'
import { cx } from '../class-names.ts'
import { compactClass } from '../fields/field.tsx'
import { Search } from '../icons.ts'

interface SearchBoxProps extends Omit<ComponentProps<'input'>, 'type' | 'onChange'> {
  label: string
  onChange: (text: string) => void
}

export const SearchBox = ({ label, onChange, className, ...rest }: SearchBoxProps) => (
  <div className={cx('relative', className)}>
    <Search
      size={15}
      className="pointer-events-none absolute top-1/2 start-3 -translate-y-1/2 text-muted"
      aria-hidden
    />
    <input
      type="search"
      dir="auto"
      aria-label={label}
      placeholder={label}
      maxLength={256}
      {...rest}
      onChange={({ target }) => onChange(target.value)}
      className={cx(compactClass, 'w-full px-9')}
    />
  </div>
)
