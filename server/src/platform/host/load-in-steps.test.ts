import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { loadInSteps } from './load-in-steps.ts'

const ENTRY = './index.js'
const BASE = './base.js'

/** A package whose files note that they run, and in which turn of the event loop. */
async function startPackage(files: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'docent-steps-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const notes: { name: string; turn: number }[] = []
  let turn = 0
  let isOver = false
  const count = () => {
    turn++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  onTestFinished(() => {
    isOver = true
  })
  const key = `steps ${folder}`
  Object.assign(globalThis, { [key]: (name: string) => notes.push({ name, turn }) })
  for (const [name, body] of Object.entries(files))
    await writeFile(join(folder, name), `globalThis[${JSON.stringify(key)}]('${name}')\n${body}`)
  const from = pathToFileURL(join(folder, 'importer.mjs'))
  return { from, notes, names: () => notes.map(({ name }) => name), require: createRequire(from) }
}

test('each file of a package runs once, required ones first, in turns of their own', async () => {
  const { from, notes, names, require } = await startPackage({
    'index.js': "const a = require('./a.js')\nrequire('./b.cjs')\nexports.a = a",
    'a.js': "const b = require('./b.cjs')\nconst fs = require('node:fs')\nexports.value = b.value",
    'b.cjs': 'exports.value = 1',
  })
  await loadInSteps(ENTRY, from)
  expect(names()).toEqual(['b.cjs', 'a.js', 'index.js'])
  expect(new Set(notes.map(({ turn }) => turn)).size).toBe(3)
  expect(require(ENTRY).a.value).toBe(1)
  expect(names()).toHaveLength(3)
})

test('files that require each other begin with the one that an import begins with', async () => {
  const { from, names, require } = await startPackage({
    'index.js': "const base = require('./base.js')\nexports.made = base.make()",
    // Begun with part.js, Part would extend what is not there yet.
    'base.js': "exports.Base = class {}\nconst part = require('./part.js')\nexports.make = () => new part.Part()",
    'part.js': "const base = require('./base.js')\nrequire('./leaf.js')\nexports.Part = class extends base.Base {}",
    'leaf.js': '',
  })
  await loadInSteps(ENTRY, from)
  expect(names()).toEqual(['leaf.js', 'base.js', 'part.js', 'index.js'])
  expect(require(ENTRY).made).toBeInstanceOf(require(BASE).Base)
})

test('what is required later, is not there or fails is left to the import', async () => {
  const { from, names, require } = await startPackage({
    'index.js': "require('./broken.js')\nif (globalThis.no) {\n  require('./later.js')\n}",
    'broken.js': "require('nowhere-to-be-found')",
    'later.js': '',
  })
  await loadInSteps(ENTRY, from)
  await loadInSteps('nowhere-to-be-found', from)
  expect(names()).toEqual(['broken.js'])
  expect(() => require(ENTRY)).toThrow(/nowhere-to-be-found/)
})
