import { cx } from '../class-names.ts'

interface ProgressBarProps {
  label: string
  /** 0 to 1. */
  value: number
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
      className,
    )}
  />
)
