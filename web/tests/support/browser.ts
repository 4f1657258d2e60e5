import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from 'playwright-core'

const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url))

/** Launches the Chromium that comes from npm, unpacked once. It runs as root, too, and keeps its security rules. */
export async function launchBrowser(): Promise<Browser> {
  const folder = await unpackedChromium()
  return chromium.launch({
    executablePath: join(folder, 'chromium'),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-software-rasterizer',
      '--in-process-gpu',
      '--disable-dev-shm-usage',
      '--font-render-hinting=none',
    ],
    env: { ...process.env, FONTCONFIG_FILE: join(folder, 'fonts.conf') },
  })
}

/** Folder of the unpacked Chromium: beside the packages, or temporary if these are read-only. */
async function unpackedChromium(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(modules, '@sparticuz/chromium/package.json'), 'utf8'))
  const cache = join(modules, '.cache')
  const folder = join(cache, `chromium-${version}`)
  if (await exists(folder)) return folder
  const isWritable = await mkdir(cache, { recursive: true }).then(
    () => true,
    () => false,
  )
  const fresh = await mkdtemp(join(isWritable ? cache : tmpdir(), 'chromium-'))
  await unpackInto(fresh)
  if (!isWritable) return fresh
  try {
    await rename(fresh, folder)
  } catch (error) {
    // Another process was faster.
    await rm(fresh, { recursive: true })
    if (!(await exists(folder))) throw error
  }
  return folder
}

/** Unpacks the package into a folder. It always uses the folder for temporary files. */
async function unpackInto(folder: string): Promise<void> {
  const { default: packed } = await import('@sparticuz/chromium')
  const usual = process.env.TMPDIR
  process.env.TMPDIR = folder
  try {
    await packed.executablePath()
  } finally {
    if (usual === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = usual
  }
  await writeFile(join(folder, 'fonts.conf'), FONTS)
}

/** Font configuration for machines without fonts: the package has one. */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir prefix="relative">fonts</dir>
  <cachedir>${join(tmpdir(), 'docent-fonts-cache')}</cachedir>
</fontconfig>
`

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )
