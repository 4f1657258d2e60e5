import { z } from 'zod'
import { defineTool } from './tool.ts'

/** Asks the person, and waits for the answer. */
export const askPerson = () =>
  defineTool({
    name: 'ask_person',
    description:
      'Asks the person a question and waits for the answer, which may take days. Use it only for what you cannot find out and cannot sensibly assume.',
    arguments: z.object({
      question: z.string().trim().min(1).max(2000).describe('One clear question'),
      options: z
        .array(z.string().trim().min(1).max(200))
        .max(10)
        .default([])
        .describe('Answers to choose from; other answers stay possible'),
    }),
    timeoutMs: 1000,
    ask: ({ question, options }) => ({ text: question, options }),
    async run() {
      throw new Error('Its answer comes from a person')
    },
  })
