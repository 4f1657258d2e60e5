import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{server,sdk,cli,acceptance,tools,bench}/**/*.test.ts', 'web/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
