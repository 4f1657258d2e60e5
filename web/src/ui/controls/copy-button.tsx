import { t } from '@lingui/core/macro'
import { Check, Copy } from '../icons.ts'
import { ScrollBox } from '../layout/scroll-box.tsx'
import { Button } from './button.tsx'
import { useCopy } from './copy-text.ts'

/** Button that copies a text and confirms it. */
export function CopyButton({ text, label = t`Copy` }: { text: string; label?: string }) {
  const { isCopied, copy } = useCopy(text)
  return (
    <Button icon={isCopied ? Check : Copy} onClick={copy}>
      <span aria-live="polite">{isCopied ? t`Copied` : label}</span>
    </Button>
  )
}

/** Text to copy as it is: a key, a command, a configuration. */
export const CopyBox = ({ text, label }: { text: string; label: string }) => (
  <div className="flex items-start gap-2 rounded-control border border-line bg-canvas p-2 ps-3.5">
    <ScrollBox label={label} className="min-w-0 flex-1">
      <pre className="py-1.5 font-mono text-sm">{text}</pre>
    </ScrollBox>
    <CopyButton text={text} />
  </div>
)
