// npm run bench -- NAME [ARGUMENTS]: measures one thing and prints what it found.

interface Bench {
  usage: string
  about: string
  load(): Promise<{ run(args: string[]): Promise<void> }>
}

const benches: Record<string, Bench> = {
  http: {
    usage: 'http [--only ROWS] [--secs N] [--rounds N] [--out FILE] [--strict]',
    about: 'queries, streams, history, start and indexing over HTTP, beside a floor of bare Node',
    load: () => import('./http.ts'),
  },
  agents: {
    usage: 'agents [--rounds N] [--runs N]',
    about: 'what a step and a token of a run cost, events per second, memory per running agent',
    load: () => import('./agents.ts'),
  },
  listings: {
    usage: 'listings [--messages 1000000] [--chats 10000] [--only TEXT] [--data FOLDER]',
    about: 'every list of the API on a database of a million messages, and the start on it',
    load: () => import('./listings.ts'),
  },
  scale: {
    usage: 'scale [--secs N] [--processes 1,2,4] [--only query,history,files,trips,costs]',
    about: 'one process and several on PostgreSQL and S3: what goes through, and what it costs the database',
    load: () => import('./scale.ts'),
  },
  kills: {
    usage: 'kills [--queries 2000] [--kills 50] [--chats 40] [--postgres new|URL] [--processes N]',
    about: 'asynchronous queries over many kills: what is lost, delivered twice, or out of order',
    load: () => import('./kills.ts'),
  },
  documents: {
    usage: 'documents FOLDER',
    about: 'every document of FOLDER/manifest.json, parsed and compared with what it holds',
    load: () => import('./support/documents.ts'),
  },
  'created-files': {
    usage: 'created-files',
    about: 'how long create_file takes for each kind of file, and how long it holds the event loop',
    load: () => import('./support/created-files.ts'),
  },
  retrieval: {
    usage: 'retrieval FOLDER [--embedding MODEL] [--rerank]',
    about: 'the question sets of FOLDER: how well and how fast search and builtin/extractive answer them',
    load: () => import('./retrieval.ts'),
  },
  'search-scale': {
    usage: 'search-scale [PASSAGES] [--s3] [--cache MIB]',
    about:
      'searches among 100,000 synthetic passages or as many as named, beside LanceDB alone, and while documents come and go',
    load: () => import('./search-scale.ts'),
  },
  drive: {
    usage: 'drive [--upload-mib N] [--files N] [--zip-files N] [--zip-mib N]',
    about: 'memory of large uploads and archives, and how long a deletion of many files takes',
    load: () => import('./drive.ts'),
  },
  'large-files': {
    usage: 'large-files [--text-mib 500] [--pages 5000]',
    about: 'memory that a very large text and a PDF of many pages take, and what other requests notice of them',
    load: () => import('./large-files.ts'),
  },
  flips: {
    usage: 'flips [--flips 500] [--rounds 5] [--seed 1]',
    about: 'good files of 20 formats with bytes flipped: what becomes of them, and what other requests notice',
    load: () => import('./flips.ts'),
  },
  soak: {
    usage: 'soak [--minutes 120] [--rate 20] [--set NAME=VALUE]',
    about: 'hours of mixed load: memory of each kind, descriptors, WAL and index fragments, minute by minute',
    load: () => import('./soak.ts'),
  },
  models: {
    usage: 'models [--streams N] [--seconds N] [--rounds N]',
    about: 'what a streamed token costs in the client of each model provider',
    load: () => import('./models.ts'),
  },
}

const [name, ...args] = process.argv.slice(2)
const bench = name && Object.hasOwn(benches, name) ? benches[name] : undefined
if (bench) await (await bench.load()).run(args)
else {
  const width = Math.max(...Object.keys(benches).map((key) => key.length))
  console.log('npm run bench -- NAME [ARGUMENTS]\n')
  for (const [key, { about }] of Object.entries(benches)) console.log(`  ${key.padEnd(width)}  ${about}`)
  console.log('')
  for (const { usage } of Object.values(benches)) console.log(`  npm run bench -- ${usage}`)
  if (name && name !== '--help') process.exitCode = 2
}
