import { parentPort, workerData } from 'node:worker_threads'
import { readPage } from './read-page.ts'

parentPort!.postMessage(await readPage(workerData))
