import { t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import { toast } from '../overlays/toasts.tsx'

const CONFIRMED_MS = 2_000

/** @returns whether the text is on the clipboard; if not, the person has seen a message. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // Browsers allow clipboard access only on https pages and on localhost.
    toast(t`Your browser does not let this page copy: mark the text and copy it yourself.`, { isError: true })
    return false
  }
}

/** Copies a text; `isCopied` stays true for a moment after it. */
export function useCopy(text: string): { isCopied: boolean; copy: () => Promise<void> } {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(setCopied, CONFIRMED_MS, false)
    return () => clearTimeout(timer)
  }, [isCopied])
  return { isCopied, copy: async () => setCopied(await copyText(text)) }
}
