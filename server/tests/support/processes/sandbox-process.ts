import { createSandbox } from '../../../src/content/sandbox/sandbox.ts'

// Runs two calls of each code at once, and says by how many MB this process grew at most beyond two calls of code that
// does nothing, whose threads and compiler take up to 60 MB. A process of its own, because the peak of a process is of
// all that it ever did.
const signal = new AbortController().signal
const sandbox = createSandbox({ timeMs: 2_000 })
const peakMb = () => process.resourceUsage().maxRSS / 1024

const runTwice = (code: string) =>
  Promise.all([0, 1].map(() => sandbox.run(code, undefined, { organizationId: 'a', signal })))

await runTwice('1')
const before = peakMb()
const results = []
for (const code of process.argv.slice(2)) {
  const [result] = await runTwice(code)
  results.push({ code, error: result!.error, grewMb: Math.round(peakMb() - before) })
}
console.log(JSON.stringify(results))
