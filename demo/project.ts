// The shop's project as its team built it: flags, segments, keys, and the history of changes.

import type { ConditionGroup } from '@telltale/core/contract/conditions'
import type { FlagConfigDraft } from '@telltale/core/contract/flag-config'
import type { FlagDraft } from '@telltale/core/contract/flags'
import { alerts, channels } from './alerts.ts'
import { dashboards } from './dashboards.ts'
import { experiments, summaryFlag } from './experiments.ts'
import { versions } from './history/versions.ts'
import { metrics } from './metrics.ts'
import { ines, jonas, mara, people, tomo } from './people.ts'
import { deploys } from './releases.ts'
import { guardedFlags, rollouts } from './rollouts.ts'
import { views } from './views.ts'

const hour = 3_600_000
const day = 24 * hour

/** Before the generated week. */
const begun = 8 * day

export interface FlagChange {
  /** Milliseconds before the demo starts. */
  ago: number
  by: string
  env: string
  flag: string
  reason: string
  config: Partial<FlagConfigDraft>
}

export interface IssueDecision {
  ago: number
  by: string
  message: string
  state?: 'resolved' | 'ignored'
  assignee?: string
}

const segments: { key: string; name: string; description: string; when: ConditionGroup }[] = [
  {
    key: 'club-members',
    name: 'Club members',
    description: 'Customers who pay for the club, wherever they live.',
    when: { match: 'all', of: [{ attribute: 'plan', operator: 'equals', value: 'club' }] },
  },
  {
    key: 'phones',
    name: 'Phones',
    description: 'Small screens and slow networks.',
    when: { match: 'all', of: [{ attribute: 'device', operator: 'equals', value: 'mobile' }] },
  },
  {
    key: 'home-markets',
    name: 'Home markets',
    description: 'Where we deliver with our own vans.',
    when: { match: 'all', of: [{ attribute: 'country', operator: 'in', values: ['DE', 'NL', 'AT'] }] },
  },
]

const visible = { clientVisible: true } as const

const flags: (FlagDraft & { by: string })[] = [
  {
    ...visible,
    by: mara,
    key: 'checkout-v2',
    name: 'One-page checkout',
    description: 'Address, delivery and payment on one page instead of three steps.',
    valueType: 'string',
    variations: [
      { key: 'classic', name: 'Three steps', value: 'classic' },
      { key: 'one-page', name: 'One page', value: 'one-page' },
    ],
    tags: ['checkout'],
  },
  {
    ...visible,
    by: jonas,
    key: 'hybrid-search',
    name: 'Hybrid search',
    description: 'Finds by meaning as well as by words.',
    valueType: 'boolean',
    tags: ['search'],
  },
  {
    ...visible,
    by: ines,
    key: 'new-gallery',
    name: 'New product gallery',
    description: 'Large pictures from every side, asked for when the page opens.',
    valueType: 'boolean',
    tags: ['product', 'media'],
  },
  {
    ...visible,
    by: tomo,
    key: 'promo-banner',
    name: 'Banner above the shop',
    valueType: 'string',
    variations: [
      { key: 'none', name: 'No banner', value: '' },
      { key: 'winter', name: 'Winter check', value: 'Winter check for 39 €: brakes, lights, tyres.' },
      { key: 'club', name: 'Club week', value: 'Club week: members ride home with 10 % off parts.' },
    ],
    permanent: true,
    tags: ['merch'],
  },
  {
    ...visible,
    by: tomo,
    key: 'free-shipping-threshold',
    name: 'Free shipping from',
    description: 'Euro. What the cart says, and what the order is charged.',
    valueType: 'number',
    variations: [
      { key: 'usual', name: '99 €', value: 99 },
      { key: 'low', name: '49 €', value: 49 },
    ],
    permanent: true,
    tags: ['merch', 'checkout'],
  },
  {
    ...visible,
    by: ines,
    key: 'theme',
    name: 'Colours of the shop',
    valueType: 'json',
    variations: [
      {
        key: 'post-yellow',
        name: 'Post yellow',
        value: { accent: '#f2c230', ink: '#1d2a24', paper: '#fbf8f1' },
      },
      {
        key: 'night-ride',
        name: 'Night ride',
        value: { accent: '#7fd1b9', ink: '#e9f2ee', paper: '#14201c' },
      },
    ],
    permanent: true,
    tags: ['brand'],
  },
]

const split = (first: string, second: string, weight: number) => ({
  split: [
    { variation: first, weight: 100_000 - weight },
    { variation: second, weight },
  ],
})

const inSegment = (
  segment: string,
  description: string,
  variation: string,
): FlagConfigDraft['rules'][number] => ({
  description,
  when: { match: 'all', of: [{ operator: 'in-segment', segment }] },
  serve: { variation },
})

const production = { env: 'production' } as const

/** Oldest first. Parts that a change omits are kept. */
const changes: FlagChange[] = [
  {
    ...production,
    ago: begun - hour,
    by: ines,
    flag: 'theme',
    reason: 'The new brand',
    config: { enabled: true, fallthrough: { variation: 'post-yellow' } },
  },
  {
    ...production,
    ago: begun - 2 * hour,
    by: tomo,
    flag: 'free-shipping-threshold',
    reason: 'As on the flyers',
    config: { enabled: true, fallthrough: { variation: 'usual' } },
  },
  {
    ...production,
    ago: begun - 3 * hour,
    by: tomo,
    flag: 'promo-banner',
    reason: 'Ready for the winter',
    config: { enabled: true, fallthrough: { variation: 'none' } },
  },
  {
    ...production,
    ago: begun - 4 * hour,
    by: jonas,
    flag: 'hybrid-search',
    reason: 'Members try it first',
    config: {
      enabled: true,
      rules: [inSegment('club-members', 'Members try it first', 'on')],
      fallthrough: { variation: 'off' },
    },
  },
  {
    ...production,
    ago: 6.9 * day,
    by: tomo,
    flag: summaryFlag.key,
    reason: 'Half and half, for an experiment',
    config: { enabled: true, offVariation: 'off', fallthrough: split('off', 'on', 50_000) },
  },
  {
    ...production,
    ago: 1.05 * day,
    by: tomo,
    flag: summaryFlag.key,
    reason: 'The experiment is decided: for everyone',
    config: { fallthrough: { variation: 'on' } },
  },
  {
    ago: 7.1 * day,
    by: mara,
    env: 'staging',
    flag: 'checkout-v2',
    reason: 'For the tests on staging',
    config: { enabled: true, fallthrough: { variation: 'one-page' } },
  },
  {
    ...production,
    ago: 6.4 * day,
    by: mara,
    flag: 'checkout-v2',
    reason: 'One in ten, over the weekend',
    config: { enabled: true, offVariation: 'classic', fallthrough: split('classic', 'one-page', 10_000) },
  },
  {
    ...production,
    ago: 5.6 * day,
    by: ines,
    flag: 'new-gallery',
    reason: 'A quarter, to see what it does to loading',
    config: { enabled: true, fallthrough: split('off', 'on', 25_000) },
  },
  {
    ...production,
    ago: 7.02 * day,
    by: tomo,
    flag: 'promo-banner',
    reason: 'Workshop has room',
    config: { fallthrough: { variation: 'winter' } },
  },
  {
    ...production,
    ago: 4.3 * day,
    by: mara,
    flag: 'checkout-v2',
    reason: 'More orders among the first tenth: half and half',
    config: { fallthrough: split('classic', 'one-page', 50_000) },
  },
  {
    ago: 3.9 * day,
    by: jonas,
    env: 'development',
    flag: 'hybrid-search',
    reason: 'Everybody here uses it',
    config: { enabled: true, fallthrough: { variation: 'on' } },
  },
  {
    ...production,
    ago: 3.1 * day,
    by: jonas,
    flag: 'hybrid-search',
    reason: 'With 3.9.0: members, and half of everybody else',
    config: { fallthrough: split('off', 'on', 50_000) },
  },
  {
    ...production,
    ago: 2.6 * day,
    by: ines,
    flag: 'new-gallery',
    reason: 'Half, for a clear answer by Monday',
    config: { fallthrough: split('off', 'on', 50_000) },
  },
  {
    ...production,
    ago: 0.85 * day,
    by: tomo,
    flag: 'free-shipping-threshold',
    reason: 'Do people at home buy one more thing?',
    config: { rules: [inSegment('home-markets', 'Where our own vans drive', 'low')] },
  },
  {
    ...production,
    ago: 0.3 * day,
    by: tomo,
    flag: 'promo-banner',
    reason: 'Club week begins',
    config: {
      rules: [inSegment('club-members', 'Members know already', 'club')],
      fallthrough: { variation: 'winter' },
    },
  },
]

const turnedOn = guardedFlags.map(
  ({ key, by }, index): FlagChange => ({
    ...production,
    ago: begun - (5 + index) * hour,
    by,
    flag: key,
    reason: 'Ready to be rolled out',
    config: { enabled: true, fallthrough: { variation: 'off' } },
  }),
)

/** The team's decisions about error issues, oldest first. Issues are found by a part of the message. */
const decisions: IssueDecision[] = [
  { ago: 5.2 * day, by: jonas, message: 'ResizeObserver', state: 'ignored' },
  { ago: 4.1 * day, by: jonas, message: 'The shop does not answer', state: 'resolved' },
  { ago: 3.3 * day, by: ines, message: 'price', state: 'resolved' },
  { ago: 0.9 * day, by: mara, message: 'scheduler', assignee: mara },
  { ago: 0.4 * day, by: ines, message: 'r.map is not', assignee: jonas },
]

export const project = {
  key: 'storefront',
  name: 'Storefront',
  begunAgo: begun,
  historyAgo: 7 * day,
  by: mara,
  environment: 'production',
  timeZone: 'Europe/Berlin',
  sampling: { replay: 10, profile: 6 },
  keys: [
    { kind: 'server' as const, label: 'Order service', by: jonas },
    { kind: 'client' as const, label: 'App (iOS, Android)', by: ines },
  ],
  segments,
  flags: [...flags, summaryFlag, ...guardedFlags],
  changes: [...turnedOn, ...changes].toSorted((a, b) => b.ago - a.ago),
  rollouts,
  experiments,
  metrics,
  deploys,
  dashboards,
  views,
  channels,
  alerts,
  people,
  decisions,
  version: versions.new,
}
