import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

const run = promisify(execFile)
const exists = (program: string, given: string[]) =>
  run(program, given).then(
    () => true,
    () => false,
  )
const hasCurl = await exists('curl', ['--version'])
const hasPython = await exists('python3', ['-c', 'import sys; assert sys.version_info >= (3, 11)'])

const { paths } = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'))
const operations = Object.values<any>(paths).flatMap((methods) => Object.values<any>(methods))
const SDK = fileURLToPath(new URL('../../../sdk-python', import.meta.url))

/** Samples of one language for this server, by the id of the operation and the label. */
function samplesFor(lang: string, url: string): [name: string, source: string][] {
  return operations.flatMap(({ operationId, 'x-codeSamples': samples }) =>
    samples
      .filter((sample: any) => sample.lang === lang)
      .map(({ label, source }: any) => [
        `${operationId} ${label}`,
        source.replaceAll('https://docent.example.com', url),
      ]),
  )
}

/** Folder with the file that samples upload. */
function workFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'docent-samples-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'kiln.txt'), 'The kiln fires at 1240 degrees.')
  return folder
}

/** Codes that say that the request itself is wrong; ids of examples are those of nothing here. */
const WRONG = /VALIDATION_ERROR|"NOT_FOUND"|METHOD_NOT_ALLOWED|UNSUPPORTED_MEDIA_TYPE|FILE_UPLOAD_FAILED|^curl:/

/** Refusals of values that only another server would take: its groups, folders, storage and logins, a recording. */
const ELSEWHERE =
  /names a group that this workspace does not have|must be a login that you made at this provider|DOCENT_(?:DIRECTORY_ROOTS|OUTBOUND_ALLOW|SOURCE_APPS)|must be a recording in/

test.runIf(hasCurl)(
  'each call by curl is one that its operation takes',
  async () => {
    const { url, owner } = await startTestApp()
    const samples = samplesFor('Shell', url)
    expect(samples.length).toBeGreaterThan(200)
    const cwd = workFolder()
    const wrong: string[] = []
    for (const [name, source] of samples) {
      // An answer that would go into a file is looked at instead.
      const script = `${source.trimEnd().replace(/--output \S+/, '')} --silent --show-error --max-time 5`
      const { stdout, stderr } = await run('sh', ['-c', script], {
        cwd,
        env: { ...process.env, DOCENT_API_KEY: owner.apiKey },
        maxBuffer: 1 << 26,
      }).catch(({ stdout, stderr }) => ({ stdout, stderr: stderr.includes('(28)') ? '' : stderr }))
      if (WRONG.test(stderr) || WRONG.test(stdout.slice(0, 300)))
        wrong.push(`${name}: ${stderr}${stdout.slice(0, 300)}`)
    }
    expect(wrong.filter((one) => !ELSEWHERE.test(one))).toEqual([])
  },
  120_000,
)

const RUNNER = `
import contextlib, io, json, sys
sys.path.insert(0, ${JSON.stringify(SDK)})
from docent import DocentError

wrong = []
for name, source in json.load(open("samples.json")):
    told = io.StringIO()
    try:
        with contextlib.redirect_stdout(told):
            exec(compile(source, name, "exec"), {})
    except DocentError as error:
        if error.code in ("VALIDATION_ERROR", "NOT_FOUND", "METHOD_NOT_ALLOWED", "FILE_UPLOAD_FAILED", None):
            wrong.append(f"{name}: {error.code} {error}")
    except Exception as error:
        wrong.append(f"{name}: {type(error).__name__} {error}")
print(json.dumps(wrong))
`

test.runIf(hasPython)(
  'each call in Python is one that its operation takes',
  async () => {
    const { url, owner } = await startTestApp()
    const samples = samplesFor('Python', url)
    expect(samples.length).toBeGreaterThan(200)
    const cwd = workFolder()
    writeFileSync(join(cwd, 'samples.json'), JSON.stringify(samples))
    writeFileSync(join(cwd, 'run.py'), RUNNER)
    const { stdout } = await run('python3', ['run.py'], {
      cwd,
      env: { ...process.env, DOCENT_API_KEY: owner.apiKey, PYTHONDONTWRITEBYTECODE: '1' },
    })
    expect(JSON.parse(stdout).filter((one: string) => !ELSEWHERE.test(one))).toEqual([])
  },
  120_000,
)
