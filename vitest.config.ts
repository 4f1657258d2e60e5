import { availableParallelism } from 'node:os'
import { basename, join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { languages } from './web/languages/plugin.ts'

// As npm start does: servers that tests start find what was compiled before, instead of compiling it again.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled')

const ON_POSTGRES =
  'message-life query-writes query-inserts run-directory at-once drive-folders shares quotas quota-queries usage-messages webhook-retries audit-log fair-indexing accounts members private-chats folder-rights narrowed-members canaries rights-sweep file-rights-sweep reader-lists-sweep agent-editors agent-use access-rules user-tokens sign-in-providers scim own-providers model-providers passkeys chat-search file-versions passage-edits passage-edits-race evaluation-nightly integrations-sharepoint integrations-slack source-apps'.split(
    ' ',
  )

/** Acceptance of what is the same on every database and with any number of processes. */
const ON_ANY_STACK = 'content every-route http jobs-and-shortcuts me models text'.split(' ')

/** Servers that tests start are what operators run, and start in half the time of the sources. */
const BUNDLE = 'tools/server-build.mjs'

/**
 * The whole server takes 1.5 s of CPU to load: here it is loaded once a process instead of once a file. What its
 * modules keep is in tools/checks/module-state.test.ts; what belongs to the process is looked at after each file.
 */
const SHARING_MODULES = { isolate: false, setupFiles: ['server/tests/support/leaves-nothing.ts'] }

/**
 * Files of the UI, whose modules keep much: they share a process, which takes a second of CPU to start, but no modules.
 */
const SHARING_A_PROCESS = {
  isolate: false,
  setupFiles: ['web/tests/support/fresh-modules.ts', ...SHARING_MODULES.setupFiles, 'web/tests/support/in-english.ts'],
}

/** Files that mostly wait for processes to be missed, for leases to end, or for a database to come back. */
const MOSTLY_WAITING =
  'database-outages drive-delete order-after-kill pgbouncer run-durability chat-restart webhook-crash many-processes-deaths shared-membership evaluation-nights-shared'.split(
    ' ',
  )

/** Files that take long for their size, which is all that is known of them in a new clone. */
const LONG_FOR_THEIR_SIZE =
  'doctor-faults damaged-index shared-index backup move-to-postgres work-folder provider-words private-files picture-languages file-maker sandbox sandbox-memory examine-space kills'.split(
    ' ',
  )

const isOneOf = (names: string[], { moduleId }: TestSpecification) => names.includes(basename(moduleId, '.test.ts'))

/**
 * Browsers first, which take longest; beside the first of them files that wait, so that the processors have something
 * to do meanwhile; within a project the longest files first, so that small ones are left for the end. Files of a
 * project are together: a process ends when the next file is of another.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySize = await super.sort(files)
    const byProject = Map.groupBy(bySize, ({ project }) => project)
    const sorted = [...byProject.values()].flatMap((own) => [
      ...own.filter((file) => isOneOf(LONG_FOR_THEIR_SIZE, file)),
      ...own,
    ])
    const waiting = sorted.filter((file) => isOneOf(MOSTLY_WAITING, file))
    const inBrowser = sorted.filter(({ project }) => project.name === 'web')
    return [...new Set([...inBrowser.slice(0, 3), ...waiting, ...inBrowser, ...sorted])]
  }
}

export default defineConfig({
  test: {
    pool: 'forks',
    restoreMocks: true,
    // Three more than processors: what restarts and dies is mostly waited for.
    maxWorkers: Math.min(availableParallelism() + 3, 6),
    sequence: { sequencer: LongestFirst },
    // Limits for what hangs, not for what is slow: a machine may be busy. What has come true ends a wait at once.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 30_000 } },
    // For CI, where one race among five thousand tests must not hide what the others say; the summary names it.
    retry: Number(process.env.TEST_RETRY ?? 0),
    projects: [
      {
        extends: true,
        test: {
          name: 'units',
          include: ['server/src/**/*.test.ts'],
          ...SHARING_MODULES,
          globalSetup: [BUNDLE, 'server/tests/support/database/postgres-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'programs',
          include: ['{sdk,sdk-*,tools,bench,deploy}/**/*.test.ts', 'server/build/*.test.ts'],
          exclude: ['**/node_modules/**'],
          ...SHARING_MODULES,
          globalSetup: [BUNDLE, 'server/tests/support/database/postgres-setup.ts'],
        },
      },
      {
        extends: true,
        // Its setup makes the package of the command line, which its files start.
        test: {
          name: 'cli',
          include: ['cli/**/*.test.ts'],
          exclude: ['**/node_modules/**'],
          ...SHARING_MODULES,
          globalSetup: [BUNDLE, 'server/tests/support/database/postgres-setup.ts', 'cli/tests/command-line-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'docent',
          include: ['server/tests/**/*.test.ts'],
          ...SHARING_MODULES,
          globalSetup: [BUNDLE, 'server/tests/support/database/postgres-setup.ts'],
        },
      },
      {
        extends: true,
        // Files in which the two databases differ most run on PostgreSQL, too; any other file:
        // DOCENT_TEST_DATABASE=postgres.
        test: {
          name: 'docent-postgres',
          include: ON_POSTGRES.map((name) => `server/tests/**/${name}.test.ts`),
          env: { DOCENT_TEST_DATABASE: 'postgres' },
          ...SHARING_MODULES,
          globalSetup: [BUNDLE, 'server/tests/support/database/postgres-setup.ts'],
        },
      },
      {
        extends: true,
        plugins: [languages()],
        // Its setup builds the UI, which all its files are served.
        test: {
          name: 'web',
          ...SHARING_A_PROCESS,
          include: ['web/**/*.test.{ts,tsx}'],
          exclude: ['**/node_modules/**'],
          globalSetup: [BUNDLE, 'web/tests/support/build.ts'],
        },
      },
      {
        extends: true,
        // Its setup starts the server that all its files share; Vitest does that only if one of them runs.
        test: {
          name: 'acceptance',
          include: ['acceptance/**/*.test.ts'],
          ...SHARING_MODULES,
          globalSetup: [BUNDLE, 'acceptance/support/global-setup.ts'],
        },
      },
      {
        extends: true,
        // On two api and two worker processes that share PostgreSQL and S3, behind a plain proxy: all that depends on
        // it.
        test: {
          name: 'acceptance-cluster',
          include: ['acceptance/**/*.test.ts'],
          exclude: ON_ANY_STACK.map((name) => `acceptance/**/${name}.test.ts`),
          ...SHARING_MODULES,
          globalSetup: [
            BUNDLE,
            'server/tests/support/database/postgres-setup.ts',
            'acceptance/support/global-setup.ts',
          ],
        },
      },
    ],
  },
})
