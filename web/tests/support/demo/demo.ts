import { answer, type Script, type Step } from '../../../../server/tests/support/models/model-server.ts'

interface DemoFolder {
  name: string
  /** Index of the parent folder in this list. */
  parent?: number
  /** Contents by title. */
  files: Record<string, string | Uint8Array<ArrayBuffer>>
}

/** First bytes of old Office files, which must be converted first. */
const OLD_OFFICE_FILE = Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, ...Array(1016).fill(0)])

export const DEMO_FOLDERS: DemoFolder[] = [
  {
    name: 'Museum',
    files: {
      'school-classes.md': `# School classes

## When to come
Classes are welcome from Tuesday to Friday between 9:00 and 12:00, before the house opens to everyone. Tell us at least
two weeks ahead, so that a docent is free for you.

## What it costs
A class of up to thirty pays nothing for the tour. The printing workshop costs 3 euros a child, paper included.
`,
      'opening-hours.csv': `Day,Opens,Closes
Tuesday,10:00,18:00
Wednesday,10:00,18:00
Thursday,10:00,21:00
Friday,10:00,18:00
Saturday,9:00,18:00
Sunday,9:00,18:00
`,
      'house-rules.md': `# House rules

Bags larger than a sheet of paper stay in the cloakroom. Drawing with a pencil is welcome in every room; photographs are
welcome without a flash.
`,
      'floor-plan.xls': OLD_OFFICE_FILE,
    },
  },
  {
    name: 'Collection',
    parent: 0,
    files: {
      'lighting.md': `# Lighting

Works on paper hang at no more than fifty lux, and rest in the dark for three years after three months on a wall.
`,
    },
  },
  { name: 'Loans', parent: 0, files: {} },
  { name: 'Staff', files: {} },
]

const ANSWER = `School classes are welcome **Tuesday to Friday, 9:00 to 12:00**, before the house opens to everyone. Please tell the museum at least two weeks ahead [1].

| What | Price |
| --- | --- |
| Tour for up to thirty | free |
| Printing workshop | 3 euros a child |

Paper is included in the workshop [2].`

/** Thinks, searches twice, and answers. */
export const demoScript: Script = ({ body }) => {
  const found = body.messages.filter(({ role }: { role: string }) => role === 'tool').length
  const steps: Step[][] = [
    [
      { reasoning: 'They ask for two things: when classes may come, and what that costs.' },
      { toolCall: { name: 'search_knowledge', arguments: { query: 'school classes when to come' } } },
    ],
    [{ toolCall: { name: 'search_knowledge', arguments: { query: 'what it costs for a class' } } }],
    ANSWER.split(/(?=\s)/),
  ]
  return answer(...steps[found]!)
}
