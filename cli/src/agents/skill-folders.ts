import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import type { AgentFile } from '@docent/sdk'
import { parseDocument } from 'yaml'
import { usageError } from '../failures.ts'
import { requireFree } from '../path-to-write.ts'

type Skill = Record<string, string>

const MOST_FILES = 100

/**
 * Writes the jobs of an exported agent as folders of skills, named as SKILL.md names them.
 * @param folder in which they go @param from folder of the agent's own file
 * @returns the agent, with the path of each folder in the place of its files
 */
export function writeSkills(
  agent: AgentFile,
  { folder, from, isForced }: { folder: string; from: string; isForced: boolean },
) {
  const jobs = agent.jobs.map(({ name, skill = {} }) => ({ name, skill, path: join(folder, nameOf(skill) ?? name) }))
  const files = jobs.flatMap(({ skill, path }) =>
    Object.entries(skill).map(([file, content]) => ({ path: resolve(path, file), content })),
  )
  requireFree(
    files.map(({ path }) => path),
    isForced,
  )
  for (const { path, content } of files) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
  const shown = (path: string) => relative(from, path).replaceAll(sep, '/') || '.'
  return { ...agent, jobs: jobs.map(({ name, path }) => ({ name, skill: shown(path) })) }
}

/** Name of a skill, as the frontmatter of its SKILL.md has it; undefined if it has none. */
function nameOf(skill: Skill): string | undefined {
  const front = /^---\r?\n([\s\S]{0,10000}?)\r?\n---/.exec(skill['SKILL.md'] ?? '')
  const name = front && parseDocument(front[1]!).get('name')
  return typeof name === 'string' ? name : undefined
}

/**
 * Reads the folders that jobs of a file name as their `skill`. A job without a name has that of its skill.
 * @param from folder of the file @returns files that are no text, which were left out @throws CommandError
 */
export function readSkills(file: object, from: string): string[] {
  const { jobs } = file as { jobs?: unknown }
  const left: string[] = []
  for (const job of Array.isArray(jobs) ? jobs : []) {
    if (typeof job?.skill !== 'string') continue
    const folder = resolve(from, job.skill)
    job.skill = readSkill(folder, left)
    job.name ??= nameOf(job.skill)
    if (job.name === undefined)
      throw usageError(
        `${join(folder, 'SKILL.md')} has no name: begin it with the lines ---, name: NAME, description: WHAT FOR, ---`,
      )
  }
  return left
}

function readSkill(folder: string, left: string[]): Skill {
  if (!statSync(join(folder, 'SKILL.md'), { throwIfNoEntry: false })?.isFile())
    throw usageError(`${folder} is no skill: it has no SKILL.md`)
  const skill: Skill = {}
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = entries
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !isHidden(relative(folder, path)))
  if (paths.length > MOST_FILES) throw usageError(`${folder} has more than ${MOST_FILES} files`)
  for (const path of paths) {
    const bytes = readFileSync(path)
    const name = relative(folder, path).replaceAll(sep, '/')
    const text = textOf(bytes)
    if (text === undefined) left.push(path)
    else skill[name] = text
  }
  return skill
}

/** Text of a file; undefined for bytes that are no UTF-8, or that hold NUL, which no text has. */
function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const isHidden = (path: string) => path.split(sep).some((part) => part.startsWith('.'))
