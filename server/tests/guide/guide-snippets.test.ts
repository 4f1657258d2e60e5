import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { freePort } from '../../../web/tests/support/network/free-port.ts'
import { launchServer, type ServerProcess } from '../support/processes/launch-server.ts'
import { httpProblems, readApi } from '../support/snippets/http-problems.ts'
import { readSnippets, type Snippet, toProgram } from '../support/snippets/read-snippets.ts'
import { nginxProblems, READERS, unitProblems } from '../support/snippets/system-files.ts'
import { layCheckout, layPrograms, ROOT } from '../support/snippets/work-folder.ts'

// docs/snippets.md says how the blocks of a page are run.

const run = promisify(execFile)
/** Limit for a machine with much other work: a page takes seconds. */
const LONGEST_MS = 280_000
const can = (program: string, ...args: string[]) =>
  run(program, args).then(
    () => true,
    () => false,
  )
const HAS = {
  sh: (await can('bash', '--version')) && (await can('curl', '--version')) && (await can('jq', '--version')),
  python: await can('python3', '-c', 'import sys; assert sys.version_info >= (3, 11)'),
}

/** Languages that blocks may have, as docs/snippets.md says what becomes of them. */
const LANGUAGES = ['sh', 'ts', 'tsx', 'python', 'text', 'json', 'yaml', 'http', 'html', 'sql', 'ini', 'nginx']

/** Folders whose READMEs are for people who use what is in them. */
const PACKAGES = ['cli', 'deploy', 'sdk', 'sdk-ai', 'sdk-python', 'sdk-react', 'server']

const pages = [
  'README.md',
  ...PACKAGES.map((name) => `${name}/README.md`),
  ...(await readdir(join(ROOT, 'docs'))).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`),
]
const snippetsOf = new Map<string, Snippet[]>()
for (const page of pages) snippetsOf.set(page, readSnippets(await readFile(join(ROOT, page), 'utf8')))
const withPrograms = pages.filter((page) =>
  ['sh', 'ts', 'python'].some((language) => toProgram(snippetsOf.get(page)!, language)),
)

const nameOf = (page: string) => page.replace(/\.md$/, '').replaceAll('/', '-')

let work: string
let server: ServerProcess
let key: string

beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'docent-guide-'))
  await layPrograms(join(work, 'bin'))
  const settings = { DATA_DIR: join(work, 'data'), DOCENT_SAMPLE: 'true', DOCENT_OUTBOUND_ALLOW: '127.0.0.0/8' }
  server = await launchServer(settings)
  key = (await readFile(join(work, 'data/owner-key'), 'utf8')).trim()
})

afterAll(async () => {
  await server?.end('SIGTERM')
  await rm(work, { recursive: true, force: true, maxRetries: 10 })
})

/** Program with the server's address and key in place of those that the pages name. */
const filledIn = (program: string) =>
  program
    .replaceAll(/http:\/\/127\.0\.0\.1:3000|https:\/\/docent\.example(?![.\w])/g, server.url)
    .replaceAll('dct_…', key)

test.concurrent.each(withPrograms)('the blocks of %s run', { timeout: LONGEST_MS + 20_000 }, async (page) => {
  const snippets = snippetsOf.get(page)!
  const folder = join(work, nameOf(page))
  await layCheckout(folder, join(work, 'data'))
  const env = {
    PATH: `${join(work, 'bin')}:${process.env.PATH}`,
    HOME: folder,
    PYTHONPATH: join(ROOT, 'sdk-python'),
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    DATA_DIR: join(work, 'data'),
    DOCENT_URL: server.url,
    DOCENT_API_KEY: key,
    PORT: String(await freePort()),
  }
  // An error of the API fails a program.
  await writeFile(join(folder, '.curlrc'), 'fail-with-body\n')
  const printed: string[] = []
  for (const [language, file, command, ...args] of [
    ['sh', 'page.sh', 'bash', '-eu', '-o', 'pipefail'],
    ['ts', 'page.ts', process.execPath, '--disable-warning=ExperimentalWarning'],
    ['python', 'page.py', 'python3'],
  ] as const) {
    const program = toProgram(snippets, language)
    if (!program || (language !== 'ts' && !HAS[language])) continue
    await writeFile(join(folder, file), filledIn(program))
    const { stdout } = await run(command, [...args, file], { cwd: folder, env, timeout: LONGEST_MS }).catch(
      (error: { stdout: string; stderr: string }) => {
        throw new Error(`${page}, ${language}: ${error.stderr}\n${error.stdout}`)
      },
    )
    printed.push(stdout)
  }
  for (const { code } of snippets.filter(({ language, notRun }) => language === 'text' && notRun === null)) {
    if (!HAS.sh && toProgram(snippets, 'sh')) break
    expect(printed.join('\n'), page).toMatch(patternOf(code))
  }
})

/**
 * Whole lines as they are shown, in their order; `…` stands for anything in a line, an indented one continues with it.
 */
const patternOf = (shown: string) =>
  new RegExp(
    shown
      .replaceAll(/\n +/g, '')
      .split('\n')
      .map((line) =>
        line
          .trim()
          .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
          .replaceAll('…', '.*'),
      )
      .map((line) => `^\\s*${line}\\s*$`)
      .join('[^]*?'),
    'm',
  )

test('TypeScript in the pages has no errors of types', async () => {
  const folder = join(work, 'types')
  await mkdir(folder)
  for (const page of pages)
    for (const language of ['ts', 'tsx']) {
      const program = toProgram(snippetsOf.get(page)!, language)
      if (program) await writeFile(join(folder, `${nameOf(page)}.${language}`), program)
    }
  const compilerOptions = {
    jsx: 'react-jsx',
    rootDir: '/',
    lib: ['ES2024', 'ESNext', 'DOM', 'DOM.Iterable'],
    // A page may make something for its readers to use.
    noUnusedLocals: false,
  }
  const config = { extends: join(ROOT, 'tsconfig.json'), compilerOptions, include: ['*.ts', '*.tsx'] }
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const { stdout } = await run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder]).catch((error) => error)
  expect(stdout).toBe('')
})

const all = [...snippetsOf].flatMap(([page, snippets]) => snippets.map((snippet) => ({ page, ...snippet })))
const inLanguage = (language: string) => all.filter((one) => one.language === language)

test('every block has a language that something is done with, and what is not run says why', () => {
  expect(all.filter(({ language }) => !LANGUAGES.includes(language))).toEqual([])
  const left = all.filter(({ notRun }) => notRun !== null)
  expect(left.filter(({ notRun }) => notRun!.split(' ').length < 3)).toEqual([])
  // One more is to be seen in a review.
  expect(left).toHaveLength(26)
})

test('JSON and YAML in the pages can be read', () => {
  for (const { page, line, code } of inLanguage('json')) expect(() => JSON.parse(code), `${page}:${line}`).not.toThrow()
  for (const { page, line, code } of inLanguage('yaml')) {
    const errors = parseAllDocuments(code).flatMap((one) => ('errors' in one ? one.errors : []))
    expect(errors, `${page}:${line}`).toEqual([])
  }
})

test('requests and answers in the pages are those of the API', async () => {
  const api = await readApi()
  for (const { page, line, code } of inLanguage('http')) expect(httpProblems(code, api), `${page}:${line}`).toEqual([])
})

test('HTML in the pages is what the server gives to embed', async () => {
  const call = async (path: string, body: object): Promise<any> => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    const response = await fetch(`${server.url}/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(response.status).toBe(200)
    return ((await response.json()) as { data: unknown }).data
  }
  const agent = await call('/agents', { name: 'Embedded', visibility: 'public' })
  const link = await call(`/agents/${agent.id}/links`, { name: 'Website' })
  const widget = await readFile(join(ROOT, 'web/public/widget.js'), 'utf8')
  for (const { page, line, code } of inLanguage('html')) {
    const shown = filledIn(code).replaceAll('dcl_…', link.token)
    // More than the server gives are the attributes that the script reads.
    const more = [...shown.matchAll(/ data-([a-z-]+)="\w+"/g)]
    const plain = more.reduce((rest, [attribute]) => rest.replace(attribute, ''), shown)
    expect(plain, `${page}:${line}`).toBe(link.embed_code)
    for (const [, name] of more)
      expect(widget).toContain(name!.replaceAll(/-(.)/g, (_, letter) => letter.toUpperCase()))
  }
})

test.skipIf(!READERS.systemd)('systemd has nothing to say about the units in the pages', async () => {
  for (const { page, line, code } of inLanguage('ini'))
    expect(await unitProblems(code, work), `${page}:${line}`).toBe('')
})

test.skipIf(!READERS.nginx)('nginx takes its directives in the pages', async () => {
  for (const { page, line, code } of inLanguage('nginx'))
    expect(await nginxProblems(code, work), `${page}:${line}`).toBe('')
})
