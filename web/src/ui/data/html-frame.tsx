import { useEffect, useRef } from 'react'

interface Policy {
  createHTML(html: string): string
}

/** Policy that allows foreign HTML only for frames without rights. */
let policy: Policy | undefined
function framed(html: string): string {
  const factory = (globalThis as { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } }).trustedTypes
  policy ??= factory?.createPolicy('docent-frame', { createHTML: (text) => text }) ?? { createHTML: (text) => text }
  return policy.createHTML(html)
}

/**
 * HTML made by a tool, in a sandboxed frame: no scripts, no forms, no navigation, an origin of its own. The policy of
 * the page applies inside it, so it loads no remote images either.
 */
export function HtmlFrame({ html, title, className = 'h-64' }: { html: string; title: string; className?: string }) {
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
      className={`${className} w-full rounded-md border border-line bg-[white] scheme-light`}
    />
  )
}
