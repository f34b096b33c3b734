// What was measured on one machine, read from bench/results.md: the guide to scale has no figure of its own.

export interface Measured {
  /** Processor time of the server for an event, in microseconds. */
  serverEvent: number
  /** Of the engine, for writing it. */
  engineEvent: number
  /** Bytes on disk for an event, once merged. */
  eventBytes: number
  /** Processor time of the engine for an event that a query of 30 days reads, in microseconds. */
  overviewEvent: number
  heaviestEvent: number
}

/** Throws if a section or a figure is missing. */
export function readMeasured(results: string): Measured {
  const intake = sectionOf(results, 'Intake')
  const rate = numberIn(intake, /\| events a second, accepted \| ([\d.]+) \|/)
  const coreShare = (name: string) =>
    (numberIn(intake, new RegExp(`\\| ${name}, of one core \\| ([\\d.]+) % \\|`)) / 100 / rate) * 1e6

  const questions = sectionOf(results, 'Questions of the screens')
  const asked = numberIn(questions, /^(\d+) events over 30 days/m)
  const question = (name: string) =>
    (numberIn(questions, new RegExp(`\\| ${name} \\| 30 d \\| [\\d.]+ \\| [\\d.]+ \\| ([\\d.]+) \\|`)) /
      asked) *
    1_000

  return {
    serverEvent: coreShare('server'),
    engineEvent: coreShare('engine'),
    eventBytes: numberIn(sectionOf(results, 'Telemetry on disk'), /([\d.]+) bytes an event when merged/),
    overviewEvent: question('overview'),
    heaviestEvent: question('facets of events'),
  }
}

function sectionOf(results: string, title: string): string {
  const found = results.split(/^(?=## )/m).find((section) => section.startsWith(`## ${title}\n`))
  if (found === undefined) throw new Error(`bench/results.md has no section "${title}"`)
  return found
}

function numberIn(section: string, pattern: RegExp): number {
  const [, found] = pattern.exec(section) ?? []
  if (found === undefined) throw new Error(`bench/results.md has no figure like ${pattern.source}`)
  return Number(found)
}
