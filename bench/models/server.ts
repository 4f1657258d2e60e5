import { type Step, startModelServer } from '../../server/tests/support/models/model-server.ts'

// The request's own words say how it is to be answered: `[tokens, delay]` in the last user message.
const server = await startModelServer({
  record: false,
  script({ body }) {
    const text = JSON.stringify(body)
    const [, tokens = '1', delay = ''] = /\[(\d+),(\d*)\]/.exec(text) ?? []
    const steps: Step[] = Array.from({ length: Number(tokens) }, (_, index) => ` word${index}`)
    return { steps, ...(delay && { tokenDelayMs: Number(delay) }) }
  },
})
process.send?.(server.url)
process.on('disconnect', () => process.exit())
