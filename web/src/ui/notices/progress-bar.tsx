import { cx } from '../class-names.ts'

interface ProgressBarProps {
  label: string
  /** 0 to 1; undefined where it is not known how much there is. */
  value: number | undefined
  className?: string
}

/** Bar that shows progress. */
export const ProgressBar = ({ label, value, className }: ProgressBarProps) => (
  <progress
    aria-label={label}
    value={value}
    className={cx(
      'block h-1 appearance-none overflow-hidden rounded-full bg-line text-accent',
      '[&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent',
      '[&::-webkit-progress-value]:transition-[inline-size] [&::-webkit-progress-value]:duration-300',
      value === undefined && 'animate-pulse bg-accent/40 [&::-webkit-progress-bar]:bg-accent/40',
      className,
    )}
  />
)
