import { spawn } from 'node:child_process'

/** Command that opens an address, by platform; the variable BROWSER names another one. */
const OPENERS: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Opens an address in the browser, if there is one; the address is told anyway, so nothing is said where there is none. */
export function openBrowser(url: string, env: Record<string, string | undefined>): void {
  const [command = 'xdg-open', ...args] = env.BROWSER ? [env.BROWSER] : (OPENERS[process.platform] ?? [])
  const opener = spawn(command, [...args, url], { stdio: 'ignore', detached: true })
  opener.on('error', () => {})
  opener.unref()
}
