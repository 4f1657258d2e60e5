import { useEffect, useRef } from 'react'

interface Policy {
  createHTML(html: string): string
}

/** Only what goes into a frame without rights may be HTML of somebody else's: this policy makes nothing but that. */
let policy: Policy | undefined
function framed(html: string): string {
  const factory = (globalThis as { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } }).trustedTypes
  policy ??= factory?.createPolicy('docent-frame', { createHTML: (text) => text }) ?? { createHTML: (text) => text }
  return policy.createHTML(html)
}

/**
 * HTML that a tool made, in a frame that may do nothing: no scripts, no forms, no other pages, an origin of its own. It
 * keeps to the policy of the page around it, so it loads no picture from elsewhere either.
 */
export function HtmlFrame({ html, title }: { html: string; title: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  useEffect(() => {
    frame.current!.srcdoc = framed(html)
  }, [html])
  return (
    <iframe
      ref={frame}
      title={title}
      sandbox=""
      referrerPolicy="no-referrer"
      className="h-64 w-full rounded-md border border-line bg-[white] scheme-light"
    />
  )
}
