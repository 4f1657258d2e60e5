import { spawn } from 'node:child_process'
import { access, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseFailures } from '../parse.errors.ts'

const CONVERSION_MS = 120_000
/** Code of a first start, which only set up the profile. */
const AGAIN = 81
const LIMITS = { cpuSeconds: 100, addressBytes: 4 * 1024 ** 3, fileBytes: 512 * 1024 ** 2 }

const PROGRAMS = [
  '/usr/lib/libreoffice/program/soffice.bin',
  '/usr/lib64/libreoffice/program/soffice.bin',
  '/opt/libreoffice/program/soffice.bin',
  '/Applications/LibreOffice.app/Contents/MacOS/soffice',
]

/** Settings of the profile: no macro runs, no link is followed, and what still wanted the network finds no way to it. */
const SETTINGS = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
${[
  ['/org.openoffice.Office.Common/Security/Scripting', 'DisableMacrosExecution', 'true'],
  ['/org.openoffice.Office.Common/Security/Scripting', 'MacroSecurityLevel', '3'],
  ['/org.openoffice.Office.Common/Security/Scripting', 'BlockUntrustedRefererLinks', 'true'],
  ['/org.openoffice.Office.Common/Security/Scripting', 'DisableActiveContent', 'true'],
  ['/org.openoffice.Office.Writer/Content/Update', 'Link', '0'],
  ['/org.openoffice.Office.Calc/Content/Update', 'Link', '1'],
  ['/org.openoffice.Inet/Settings', 'ooInetProxyType', '1'],
  ['/org.openoffice.Inet/Settings', 'ooInetHTTPProxyName', '127.0.0.1'],
  ['/org.openoffice.Inet/Settings', 'ooInetHTTPProxyPort', '9'],
  ['/org.openoffice.Inet/Settings', 'ooInetHTTPSProxyName', '127.0.0.1'],
  ['/org.openoffice.Inet/Settings', 'ooInetHTTPSProxyPort', '9'],
]
  .map(
    ([at, name, value]) =>
      `<item oor:path="${at}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`,
  )
  .join('\n')}
</oor:items>
`

/** Program that converts old formats; undefined where LibreOffice is not installed. */
export async function findLibreOffice(): Promise<string | undefined> {
  for (const program of PROGRAMS) if (await isThere(program)) return program
  return undefined
}

/**
 * Converts a document into a folder, in a process with limits and a profile of its own.
 * @param file its extension tells the format
 * @returns path of the result.
 * @throws ParseError
 */
export async function convert(program: string, file: string, to: string, folder: string): Promise<string> {
  const profile = path.join(folder, 'profile')
  const output = path.join(folder, 'converted')
  await mkdir(path.join(profile, 'user'), { recursive: true })
  await writeFile(path.join(profile, 'user/registrymodifications.xcu'), SETTINGS)
  const format = path.extname(file).slice(1).toUpperCase()
  const user = `-env:UserInstallation=${pathToFileURL(profile)}`
  const ways = ['--headless', '--norestore', '--nologo', '--nolockcheck', '--nodefault']
  const command = [...(await limits()), program, user, ...ways, '--convert-to', to, '--outdir', output, file]
  const deadline = performance.now() + CONVERSION_MS
  let code = await run(command, profile, deadline)
  if (code === AGAIN) code = await run(command, profile, deadline)
  const converted = path.join(output, `${path.basename(file, path.extname(file))}.${to}`)
  // It ends with 0 after documents that it cannot open, too.
  if (code !== 0 || !(await isThere(converted))) throw parseFailures.damaged(format)
  return converted
}

/** @returns its code; null for one that was ended. @throws ParseError for one that took too long */
async function run([program = '', ...args]: string[], home: string, deadline: number): Promise<number | null> {
  const child = spawn(program, args, {
    stdio: 'ignore',
    env: { HOME: home, LANG: 'C.UTF-8', SAL_USE_VCLPLUGIN: 'svp' },
    cwd: home,
  })
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    child.kill('SIGKILL')
  }, deadline - performance.now())
  const code = await new Promise<number | null>((resolve) => {
    child.on('error', () => resolve(null))
    child.on('exit', (code) => resolve(code))
  })
  clearTimeout(timer)
  if (isLate) throw parseFailures.timeout(CONVERSION_MS / 1000)
  return code
}

/** Commands of Linux in front of the program: limits, an end with this process, and no network where that is permitted. */
async function limits(): Promise<string[]> {
  const [prlimit, setpriv, unshare] = ['/usr/bin/prlimit', '/usr/bin/setpriv', '/usr/bin/unshare']
  if (!(await isThere(prlimit)) || !(await isThere(setpriv))) return []
  const { cpuSeconds, addressBytes, fileBytes } = LIMITS
  const offline = [unshare, '--user', '--map-current-user', '--net', '--']
  return [
    ...((await isThere(unshare)) && (await mayUnshare(offline)) ? offline : []),
    prlimit,
    `--cpu=${cpuSeconds}`,
    `--as=${addressBytes}`,
    `--fsize=${fileBytes}`,
    '--core=0',
    setpriv,
    '--pdeathsig',
    'KILL',
  ]
}

function mayUnshare([program = '', ...args]: string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, [...args, '/bin/true'], { stdio: 'ignore', env: {} })
    child.on('error', () => resolve(false))
    child.on('exit', (code) => resolve(code === 0))
  })
}

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )
