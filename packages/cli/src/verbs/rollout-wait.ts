// `telltale rollout wait`: the gate of a pipeline. Its exit code is the verdict.

import { setTimeout as pause } from 'node:timers/promises'
import { findRollout, type Rollout } from '../api/find-rollout.ts'
import { NoAnswer, Refusal } from '../api/refusal.ts'
import { UsageError } from '../command/read-arguments.ts'
import { environmentVerb } from '../command/remote-verb.ts'
import { describeRollout, inOneLine } from '../output/describe-rollout.ts'
import { startProgress } from '../output/progress.ts'
import { readSpan } from '../output/span.ts'

/** Also misuse and a server that refuses: a gate must not open, nor a release be called bad, because of a typo. */
const waitCodes = { passed: 0, rolledBack: 1, undecided: 2 } as const

/** As often as the guard evaluates. */
const usualInterval = 10_000
const usualTimeout = '6h'

export const rolloutWait = environmentVerb({
  name: 'rollout wait',
  group: 'releases',
  does: 'waits until a rollout ends: exits with 0 if it completed, 1 if it was rolled back, 2 if it is undecided',
  more: 'Exits with 2 after the timeout, when the guard holds the rollout as undecided, and when the server refuses. While the server does not answer, it keeps trying.',
  takes: [{ name: 'FLAG|ROLLOUT' }],
  options: {
    timeout: { value: 'SPAN', does: `how long to wait, such as 30m or 2h; ${usualTimeout} by default` },
    interval: { value: 'SPAN', does: 'how often to ask, 10s by default' },
  },
  async run({ server, project, env, argument, text, show }) {
    const timeout = spanOf('timeout', text('timeout') ?? usualTimeout)
    const interval =
      text('interval') === undefined ? usualInterval : spanOf('interval', text('interval') ?? '')
    const read = () => findRollout(server, { project, env, named: argument(0) })
    try {
      const last = await waitForEnd(read, { timeout, interval })
      if (last !== undefined) show(last, (terminal) => describeRollout(last, terminal))
      return last === undefined ? waitCodes.undecided : codeOf(last)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      console.error(error.lines.join('\n'))
      return waitCodes.undecided
    }
  },
})

/** The rollout as last seen; undefined if the server never answered. */
async function waitForEnd(
  read: () => Promise<Rollout>,
  { timeout, interval }: { timeout: number; interval: number },
): Promise<Rollout | undefined> {
  const deadline = Date.now() + timeout
  const progress = startProgress()
  let last: Rollout | undefined
  try {
    for (;;) {
      try {
        last = await read()
        progress.show(inOneLine(last))
        if (isDecided(last)) return last
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error
        progress.show(error.message)
      }
      if (Date.now() + interval > deadline) return last
      await pause(interval)
    }
  } finally {
    progress.end()
  }
}

const isDecided = ({ state, endedAt }: Rollout) => endedAt !== null || state === 'holding-undecided'

function codeOf({ state }: Rollout): number {
  if (state === 'completed') return waitCodes.passed
  return state === 'rolled-back' || state === 'cancelled' ? waitCodes.rolledBack : waitCodes.undecided
}

function spanOf(name: string, text: string): number {
  const span = readSpan(text)
  if (span === undefined) throw new UsageError(`--${name} is a number with s, m, h or d, not "${text}".`)
  return span
}
