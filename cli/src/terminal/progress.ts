import { type Options, SingleBar } from 'cli-progress'

export interface Progress {
  update(done: number, detail?: string): void
  end(): void
}

const BETWEEN_LINES_MS = 2_000
/** Length at which a detail is cut, so that the bar stays on its line. */
const LONGEST_DETAIL = 30

/** A bar on standard error; plain lines, not too many, where that is no terminal. */
export function showProgress(task: string, total: number): Progress {
  return process.stderr.isTTY ? bar(task, total) : lines(task, total)
}

function bar(task: string, total: number): Progress {
  const options: Options = {
    format: `${task} {bar} {value}/{total} {detail}`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 30,
    clearOnComplete: true,
    // The cursor and line wrapping stay as they are: Ctrl-C would not restore them.
    hideCursor: false,
    linewrap: true,
    gracefulExit: false,
  }
  const shown = new SingleBar(options)
  shown.start(total, 0, { detail: '' })
  return {
    update: (done, detail = '') => shown.update(done, { detail: detail.slice(-LONGEST_DETAIL) }),
    end: () => shown.stop(),
  }
}

function lines(task: string, total: number): Progress {
  let last = 0
  let lastAt = performance.now()
  const write = (done: number) => {
    last = done
    lastAt = performance.now()
    console.error(`${task}: ${done} of ${total}`)
  }
  return {
    update(done) {
      if (done > last && (done === total || performance.now() - lastAt > BETWEEN_LINES_MS)) write(done)
    },
    end() {},
  }
}
