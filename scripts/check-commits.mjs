// Checks that commit subjects are imperative and at most 72 characters long. It covers the commits since the last
// tag, at most 50, without those up to `start`, which predate this check. A shallow clone is checked as far as its
// history reaches.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const start = '3632fc59267deb7f1e2758f672ed5daf430e848f'
const longest = 72
const most = 50

/** Verb forms that describe the past instead of an instruction. */
const notImperative =
  /^(?:\w+: )?(?:added|adds|adding|fixed|fixes|fixing|changed|changes|removed|removes|updated|updates|made|makes|now)\b/i

export function findFaults(subject) {
  return [
    ...(subject.length > longest ? [`has ${subject.length} characters, at most ${longest}`] : []),
    ...(/\.$/.test(subject) ? ['ends with a full stop'] : []),
    ...(notImperative.test(subject) ? ['is not imperative'] : []),
  ]
}

function readSubjects() {
  const git = (...args) => {
    try {
      return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
    } catch {
      return ''
    }
  }
  const tag = git('describe', '--tags', '--abbrev=0')
  const before = [start, tag].filter(
    (each) => each !== '' && git('rev-parse', '--verify', `${each}^{commit}`) !== '',
  )
  if (before.length === 0) return []
  const subjects = git(
    'log',
    '--no-merges',
    `--max-count=${most}`,
    '--format=%s',
    'HEAD',
    ...before.map((each) => `^${each}`),
  )
  return subjects.split('\n').filter((subject) => subject !== '')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const faults = readSubjects().flatMap((subject) =>
    findFaults(subject).map((fault) => `“${subject}” ${fault}`),
  )
  for (const fault of faults) console.error(fault)
  process.exitCode = faults.length === 0 ? 0 : 1
}
