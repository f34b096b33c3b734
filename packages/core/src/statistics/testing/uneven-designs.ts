// Simulated rollouts with realistic data: rounded values, values from few templates, and unequal use, up to one user
// with thousands of views.
import type { Random } from './seeded-random.ts'
import { calm, type Design } from './simulated-world.ts'

const inSteps = (step: number) => (value: number) => Math.round(value / step) * step
/** By the rank of a value among all others. */
const oneOf =
  (values: readonly (readonly [upTo: number, value: number])[]) =>
  (_value: number, { random, slower }: { random: Random; slower: number }) => {
    const place = random.uniform()
    return (values.find(([upTo]) => place < upTo)?.[1] ?? 1) * Math.exp(slower)
  }

export const rounded: readonly Design[] = [
  { ...calm, name: 'INP in steps of 8 ms, around 50 ms', middle: 50, round: inSteps(8) },
  {
    ...calm,
    name: 'INP in steps of 8 ms, narrow',
    middle: 60,
    viewSpread: 0.25,
    personSpread: 0.2,
    round: inSteps(8),
  },
  {
    ...calm,
    name: 'INP in steps of 8 ms, one in five not rounded',
    middle: 80,
    round: (value, { random }) => (random.uniform() < 0.2 ? value : inSteps(8)(value)),
  },
  { ...calm, name: 'LCP in steps of 100 ms', round: inSteps(100) },
  { ...calm, name: 'LCP in whole seconds', middle: 1_900, round: inSteps(1_000) },
]

const templates = [
  [0.3, 12],
  [0.5, 50],
  [0.75, 90],
  [0.93, 140],
  [1, 300],
] as const

export const stepped: readonly Design[] = [
  { ...calm, name: 'CLS of five templates, the percentile on a step', round: oneOf(templates) },
  {
    ...calm,
    name: 'CLS of five templates, one in ten of its own',
    middle: 60,
    round: (value, drawn) => (drawn.random.uniform() < 0.1 ? value : oneOf(templates)(value, drawn)),
  },
  {
    ...calm,
    name: 'grades from 1 to 5',
    round: oneOf([
      [0.1, 1],
      [0.3, 2],
      [0.55, 3],
      [0.76, 4],
      [1, 5],
    ]),
  },
]

const pareto = (shape: number) => (random: Random) =>
  Math.min(20_000, Math.ceil(2 * (1 - random.uniform()) ** (-1 / shape)))

/** A stage of 5 %, where one user is a large part of an arm. */
const early: Design = { ...calm, people: 12_000, stages: [{ share: 0.05, looks: 20 }], moreSessions: 0 }

export const unequal: readonly Design[] = [
  {
    ...calm,
    name: 'geometric use, six views each',
    moreSessions: 0,
    views: (random) => 1 + random.geometric(1 / 6),
  },
  { ...calm, name: 'Pareto use of 1.5', moreSessions: 0, views: pareto(1.5) },
  { ...calm, name: 'Pareto use of 1.2', moreSessions: 0, views: pareto(1.2) },
  {
    ...calm,
    name: 'one user of 3,000 views, 1.9 times slower, 50/50',
    moreSessions: 0,
    heavy: { views: 3_000, slower: Math.log(1.9) },
  },
  {
    ...early,
    name: 'one user of 8,000 views, 1.9 times slower, 5 % in the treatment',
    heavy: { views: 8_000, slower: Math.log(1.9) },
  },
  {
    ...early,
    name: 'one user of 8,000 views, 0.6 times as slow, 5 % in the treatment',
    heavy: { views: 8_000, slower: Math.log(0.6) },
  },
]

/** Users of early stages return in later ones, and vary more between each other than within their views. */
const visitors: Design = {
  ...calm,
  people: 4_000,
  stages: [
    { share: 0.1, looks: 10 },
    { share: 0.25, looks: 10 },
    { share: 0.5, looks: 20 },
  ],
  moreSessions: 0,
  personSpread: 1,
}

export const returning: readonly Design[] = [
  { ...visitors, name: 'users who return twice over three stages', returns: 2 },
  { ...visitors, name: 'few users who return ten times over three stages', people: 1_200, returns: 10 },
]
