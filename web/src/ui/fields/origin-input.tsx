import { t } from '@lingui/core/macro'
import type { ComponentProps } from 'react'
import { TagInput } from './tag-input.tsx'

const ORIGIN = String.raw`https?:\/\/[^\s\/?#]+`
/** Origins as browsers send them: encrypted, unless they are of this computer. A slash at the end is taken off later. */
const EXACT = String.raw`(https:\/\/[^\s\/?#*@]+|http:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?)\/?`

interface OriginInputProps extends Omit<ComponentProps<typeof TagInput>, 'pattern' | 'title' | 'known' | 'maxLength'> {
  /** Whether `*` and http, but for this computer, are refused. */
  isExact?: boolean
}

/** Field for the origins of websites, which says of a text that is none what it should be. */
export const OriginInput = ({ isExact = false, ...props }: OriginInputProps) => (
  <TagInput
    {...props}
    maxLength={isExact ? 253 : 200}
    pattern={isExact ? EXACT : ORIGIN}
    title={
      isExact
        ? t`an origin with https, such as https://app.example.com, without a path and without *`
        : t`an origin, such as https://www.example.com, without a path`
    }
  />
)
