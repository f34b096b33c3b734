// A digest as plain text, for e-mail and chat.

import type { Digest, DigestChange } from '../contract/digests.ts'

const listed = 10

export function digestSubject(project: string, { from, to, worse }: Digest): string {
  const week = `${dayOf(from)} to ${dayOf(to)}`
  const harm = worse.length === 0 ? '' : `: ${countOf(worse.length, 'regression')}`
  return `Week of ${project}, ${week}${harm}`
}

const dayOf = (instant: string) => instant.slice(0, 10)

/** Sections are separated by an empty line. */
export function digestText({ released, worse, better, waiting, isPartial, env }: Digest): string {
  const { alerts, rollouts, changeRequests, scheduledChanges, issues } = waiting
  const sections = [
    section(`Released in ${env}`, [
      ...released.deploys.map(({ version, author, commits, at }) =>
        [
          `${version} on ${dayOf(at)}`,
          ...(author === null ? [] : [`by ${author}`]),
          ...(commits === 0 ? [] : [countOf(commits, 'commit')]),
        ].join(', '),
      ),
      ...released.rollouts.map(
        ({ flag, treatment, state }) => `Rollout of ${flag} (${treatment}): ${endings[state] ?? state}`,
      ),
      ...(released.changes === 0 ? [] : [countOf(released.changes, 'flag change')]),
    ]),
    section('Worse', worse.map(changeText)),
    section('Better', better.map(changeText)),
    section('Waiting', [
      ...alerts.map(({ name }) => `Alert firing: ${name}`),
      ...rollouts.map(({ flag }) => `Rollout on hold: ${flag}`),
      ...(changeRequests === 0 ? [] : [countOf(changeRequests, 'change request')]),
      ...(scheduledChanges === 0 ? [] : [countOf(scheduledChanges, 'scheduled change')]),
      ...(issues === 0 ? [] : [countOf(issues, 'new unresolved error')]),
    ]),
    ...(isPartial ? ['The telemetry store did not answer, so releases are not compared.'] : []),
  ]
  return sections.join('\n\n')
}

const endings: Readonly<Record<string, string>> = {
  completed: 'completed',
  'rolled-back': 'rolled back',
  cancelled: 'cancelled',
}

function section(title: string, lines: readonly string[]): string {
  const shown = lines.slice(0, listed).map((line) => `- ${line}`)
  const more = lines.length > listed ? [`- and ${lines.length - listed} more`] : []
  return [title, ...(lines.length === 0 ? ['- Nothing'] : shown), ...more].join('\n')
}

/** Such as `checkout-v2, one-page against classic: JS errors 12 to 40% worse`. */
export function changeText(change: DigestChange): string {
  const { name, variation, against, metric } = change
  const compared = variation === null ? name : `${name}, ${variation}`
  return `${compared} against ${against}: ${metric} ${amountText(change)}`
}

function amountText({ scale, lower, upper }: DigestChange): string {
  const isWorse = (lower ?? 0) > 0
  const [near, far] = isWorse ? [lower, upper] : [upper, lower]
  const unit = scale === 'relative' ? '%' : ' points'
  const amount = (bound: number) => digits(Math.abs(bound) * 100)
  const range = far === null ? `at least ${amount(near ?? 0)}` : `${amount(near ?? 0)} to ${amount(far)}`
  return `${range}${unit} ${isWorse ? 'worse' : 'better'}`
}

const digits = (value: number) => (value < 10 ? value.toFixed(1).replace(/\.0$/, '') : value.toFixed(0))

const countOf = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`
