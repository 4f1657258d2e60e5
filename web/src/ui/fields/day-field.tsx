import { compactClass } from './field.tsx'

interface DayFieldProps {
  label: string
  /** YYYY-MM-DD; undefined for none. */
  value: string | undefined
  onChange: (day: string) => void
}

/** Date field of a filter. */
export const DayField = ({ label, value, onChange }: DayFieldProps) => (
  <label className="flex items-center gap-2 text-sm whitespace-nowrap text-muted max-sm:w-full max-sm:justify-between">
    {label}
    <input
      type="date"
      className={`${compactClass} min-w-0 text-base max-sm:w-44`}
      value={value ?? ''}
      onChange={({ target }) => onChange(target.value)}
    />
  </label>
)
