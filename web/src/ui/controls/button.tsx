import type { ComponentProps, ReactNode } from 'react'
import { cx } from '../class-names.ts'
import { LoaderCircle, type LucideIcon } from '../icons.ts'

type Variant = 'primary' | 'secondary' | 'quiet' | 'danger'

const VARIANTS: Record<Variant, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-hover',
  secondary: 'border border-line bg-raised text-ink hover:bg-hover',
  quiet: 'text-ink hover:bg-hover',
  danger: 'bg-bad text-on-bad hover:opacity-90',
}

/** Classes of a button, for links that look like one. */
export const buttonClass = (variant: Variant = 'secondary', className?: string): string =>
  cx(
    'inline-flex h-9 shrink-0 items-center justify-center gap-2 rounded-control px-3.5 font-medium whitespace-nowrap',
    'transition-colors duration-150 disabled:opacity-50 pointer-coarse:h-10',
    VARIANTS[variant],
    className,
  )

export interface ButtonProps extends ComponentProps<'button'> {
  variant?: Variant
  icon?: LucideIcon
  /** Button that shows a running action, and cannot be pressed again until it ends. */
  isBusy?: boolean
}

export function Button({ variant, icon: Icon, isBusy = false, className, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled || isBusy}
      aria-busy={isBusy || undefined}
      className={buttonClass(variant, className)}
    >
      {isBusy ? <Spinner /> : Icon && <Icon size={16} aria-hidden />}
      {children}
    </button>
  )
}

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'title'> {
  /** Button with an icon only; `label` is its accessible name. */
  label: string
  icon: LucideIcon
}

export function IconButton({ label, icon: Icon, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      title={label}
      className={cx(
        'inline-flex size-8 shrink-0 items-center justify-center rounded-control text-muted',
        'transition-colors duration-150 hover:bg-hover hover:text-ink disabled:opacity-50 pointer-coarse:size-10',
        className,
      )}
    >
      <Icon size={17} aria-hidden />
    </button>
  )
}

export const Spinner = ({ label }: { label?: string }): ReactNode => (
  <span role={label ? 'status' : undefined} className="inline-flex">
    <LoaderCircle size={16} className="animate-spin" aria-hidden />
    {label && <span className="sr-only">{label}</span>}
  </span>
)
