import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const can = (program: string, ...args: string[]) =>
  run(program, args).then(
    () => true,
    () => false,
  )

/** Programs that read these files, if this machine has them. */
export const READERS = { systemd: await can('systemd-analyze', '--version'), nginx: await can('nginx', '-v') }

/** Complaints of systemd about a unit: it warns of keys that it does not know and continues. */
export async function unitProblems(unit: string, folder: string): Promise<string> {
  const path = join(folder, 'docent.service')
  await writeFile(path, unit)
  const { stderr } = await run('systemd-analyze', ['verify', path]).catch((error: { stderr: string }) => error)
  // The machine of a test needs no npm where the page's machine has it.
  return stderr.replaceAll(/^.*Command \S+ is not executable.*\n/gm, '')
}

/** Complaints of nginx about directives of a server. */
export async function nginxProblems(directives: string, folder: string): Promise<string> {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((one) => `${one}_temp_path temporary;`)
  const server = `server { listen 127.0.0.1:4999;\n${directives}\n}`
  const http = `access_log off; ${temporary.join(' ')}\n${server}`
  await writeFile(join(folder, 'nginx.conf'), `pid nginx.pid; error_log stderr; events {}\nhttp {\n${http}\n}\n`)
  const args = ['-t', '-q', '-e', 'stderr', '-p', `${folder}/`, '-c', 'nginx.conf']
  const { stderr } = await run('nginx', args).catch((error: { stderr: string }) => error)
  return stderr
}
