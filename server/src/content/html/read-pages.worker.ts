import { parentPort } from 'node:worker_threads'
import { type PageTask, readPage } from './read-page.ts'

/** A thread for one page after the other. */
parentPort!.on('message', (task: PageTask) => {
  readPage(task).then(
    (page) => parentPort!.postMessage(page),
    (error) => {
      // An error of the thread, which ends it.
      setImmediate(() => {
        throw error
      })
    },
  )
})
