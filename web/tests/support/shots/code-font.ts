import { readFile } from 'node:fs/promises'
import type { BrowserContext } from 'playwright-core'

const FILE = new URL(import.meta.resolve('@fontsource/dejavu-mono/files/dejavu-mono-latin-400-normal.woff2'))

/** Gives pages a monospaced font, under a name that styles ask for: the browser of the tests brings none. */
export async function giveCodeFont(context: BrowserContext): Promise<void> {
  const font = (await readFile(FILE)).toString('base64')
  await context.addInitScript((base64) => {
    const face = new FontFace(
      'ui-monospace',
      Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)),
    )
    document.fonts.add(face)
    return face.load()
  }, font)
}
