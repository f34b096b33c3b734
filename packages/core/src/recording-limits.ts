// Limits of recording orders. Not part of `limits`, which the console loads with its first screen.

import type { Limit } from './limit.ts'

const second = 1_000
const hour = 3_600 * second

export const recordingLimits = {
  ordersAtMost: {
    value: 12,
    unit: 'items',
    reason:
      'Orders of an environment: every page compares its session with them, and the answer stays small.',
  },
  orderPagesAtMost: {
    value: 4,
    unit: 'items',
    reason: 'Pages of a rollout or split that get orders: those with the most sessions.',
  },
  orderBaseLeast: {
    value: 0.5,
    unit: 'share',
    reason:
      'Of the configured rates that every session keeps: the rest of the site needs recordings too, and weights stay small.',
  },
  orderHorizon: {
    value: 3 * hour,
    unit: 'ms',
    reason: 'In which an order should be filled: most stages of a rollout last longer.',
  },
  orderPlanInterval: {
    value: 30 * second,
    unit: 'ms',
    reason: 'How often orders are planned again.',
  },
  orderRefreshInterval: {
    value: 5 * second,
    unit: 'ms',
    reason: 'How late another server learns of a plan. Browsers ask within 100 s.',
  },
  orderMemory: {
    value: 4 * hour,
    unit: 'ms',
    reason:
      'How long recordings of an order that ended are taken: a session keeps its rate, and lasts no longer.',
  },
  orderWindow: {
    value: 24 * hour,
    unit: 'ms',
    reason: 'Recordings of this time fill a quota: older ones show an earlier state.',
  },
  orderFresh: {
    value: 24 * hour,
    unit: 'ms',
    reason: 'How long an issue is fresh after it was first seen or regressed.',
  },
  orderIssuesAtMost: {
    value: 5,
    unit: 'items',
    reason: 'Fresh issues with orders: the latest.',
  },
  orderReplaysOfArm: {
    value: 30,
    unit: 'items',
    reason:
      'Replays of an arm in a day. Three must show a harm that was not known when they were recorded, and few sessions have it.',
  },
  orderReplaysOfPart: {
    value: 8,
    unit: 'items',
    reason:
      'Replays of an arm on a page, a kind of device or a version: each side can have a similar session.',
  },
  orderReplaysOfIssue: {
    value: 30,
    unit: 'items',
    reason: 'Replays of the page and version of a fresh issue in a day.',
  },
  orderProfilesOfArm: {
    value: 60,
    unit: 'items',
    reason: 'Profiles of an arm in a day: twice of what a comparison of functions needs.',
  },
  configurationSize: {
    value: 2_048,
    unit: 'bytes',
    reason: 'Of the configuration of a browser with orders; those that do not fit wait.',
  },
} as const satisfies Record<string, Limit>
