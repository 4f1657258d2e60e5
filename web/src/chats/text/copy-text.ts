import { toast } from '../../ui/overlays/toasts.tsx'

/** @returns whether the text is on the clipboard; if not, the person has been told. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    toast('The browser does not let this page copy. Mark the text and copy it by hand.', { isError: true })
    return false
  }
}
